import type { PinBook } from '../store/pins.ts';
import { DIGEST, listOf, NAME, objectOf, type Route, route, TIME } from './route.ts';

/** Definitions are those of servers: words of others. */
const HELD = {
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['changed', 'confusable', 'shadowed', 'unreadable', 'instructions'] } },
};

/** What servers have changed, and what persons accept of it. */
export function pinRoutes(book: PinBook): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/pins',
      name: 'listPins',
      summary: 'Tools and instructions of servers that are held back until a person accepts them',
      scope: 'approve',
      answer: {
        status: 200,
        description: 'The oldest first',
        schema: objectOf({ held: listOf(objectOf({ server: NAME, held: HELD, digest: DIGEST, at: TIME })) }),
      },
      handle: async ({ caller }) => ({ held: await book.held(caller.workspace) }),
    }),
    route<{ digest: string }>({
      method: 'post',
      path: '/pins/{server}/accept',
      name: 'acceptPin',
      summary: 'Accepts exactly what was shown under a digest',
      scope: 'approve',
      parameters: { server: NAME },
      body: objectOf({ digest: DIGEST }),
      answer: { status: 204, description: 'It is pinned' },
      handle: ({ caller, parameters: { server = '' }, body }) =>
        book.accept(caller.workspace, server, body.digest, caller.principal),
    }),
  ];
}
