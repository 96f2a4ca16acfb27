import type { PinBook } from '../store/pins.ts';
import { DIGEST, listOf, NAME, objectOf, type Route, route, TIME } from './route.ts';

/** Definitions come from servers and are untrusted. */
const HELD = {
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['changed', 'confusable', 'shadowed', 'unreadable', 'flagged', 'instructions'] } },
};

/** Changed definitions of servers, and their acceptance. */
export function pinRoutes(book: PinBook): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/pins',
      name: 'listPins',
      summary: 'Lists tools and instructions of servers that are held back until a person accepts them',
      scope: 'approve',
      answer: {
        status: 200,
        description: 'Oldest first',
        schema: objectOf({ held: listOf(objectOf({ server: NAME, held: HELD, digest: DIGEST, at: TIME })) }),
      },
      handle: async ({ caller }) => ({ held: await book.held(caller.workspace) }),
    }),
    route<{ digest: string }>({
      method: 'post',
      path: '/pins/{server}/accept',
      name: 'acceptPin',
      summary: 'Accepts exactly the definition with this digest',
      scope: 'approve',
      parameters: { server: NAME },
      body: objectOf({ digest: DIGEST }),
      answer: { status: 204, description: 'The definition was pinned' },
      handle: ({ caller, parameters: { server = '' }, body }) =>
        book.accept(caller.workspace, server, body.digest, caller.principal),
    }),
  ];
}
