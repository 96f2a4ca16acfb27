import { SHARED } from '../store/pins/held-rows.ts';
import type { HeldPin, PinBook } from '../store/pins/pins.ts';
import { DIGEST, LINE, listOf, NAME, objectOf, type Route, route, TEXT, TIME } from './route/route.ts';

/** Definitions come from servers and are untrusted. */
const HELD = {
  type: 'object',
  required: ['type'],
  properties: { type: { enum: ['changed', 'confusable', 'shadowed', 'unreadable', 'flagged', 'instructions'] } },
};

const PIN = objectOf({
  server: NAME,
  held: HELD,
  digest: DIGEST,
  at: TIME,
  'rejectedBy?': LINE,
  'rejectedAt?': TIME,
  'principals?': {
    ...listOf(TEXT),
    description: 'The principals whose own process or account of the server offers it. Absent if all share one.',
  },
});

function pinAnswer({ listers, ...pin }: HeldPin): unknown {
  return listers.includes(SHARED) ? pin : { ...pin, principals: listers };
}

/** Changed definitions of servers, and what people say to them. */
export function pinRoutes(book: PinBook): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/pins',
      name: 'listPins',
      summary:
        'Lists tools and instructions that servers offer and that wait for a person, or that a person has rejected',
      scope: 'pins',
      answer: {
        status: 200,
        description: 'Oldest first',
        schema: objectOf({ held: listOf(PIN) }),
      },
      handle: async ({ caller }) => ({ held: (await book.held(caller.workspace)).map(pinAnswer) }),
    }),
    route<{ digest: string }>({
      method: 'post',
      path: '/pins/{server}/accept',
      name: 'acceptPin',
      summary: 'Accepts exactly the definition with this digest, if the server still offers it',
      scope: 'pins',
      parameters: { server: NAME },
      body: objectOf({ digest: DIGEST }),
      answer: { status: 204, description: 'The definition was pinned' },
      handle: ({ caller, parameters: { server = '' }, body }) =>
        book.accept(caller.workspace, server, body.digest, caller.principal),
    }),
    route<{ digest: string }>({
      method: 'post',
      path: '/pins/{server}/reject',
      name: 'rejectPin',
      summary: 'Rejects exactly the definition with this digest. Calls are refused while the server offers it',
      scope: 'pins',
      parameters: { server: NAME },
      body: objectOf({ digest: DIGEST }),
      answer: { status: 204, description: 'The definition was rejected. The pinned one stays' },
      handle: ({ caller, parameters: { server = '' }, body }) =>
        book.reject(caller.workspace, server, body.digest, caller.principal),
    }),
  ];
}
