import type { Database } from '../store/database.ts';
import { SCOPES } from '../store/secrets/keys.ts';
import { listPeople } from '../store/secrets/people.ts';
import { LINE, listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

const COUNT: Schema = { type: 'integer', minimum: 0 };
const SCOPE_LIST: Schema = { type: 'array', items: { enum: SCOPES } };

const PERSON = objectOf({
  principal: LINE,
  'login?': objectOf({ at: TIME, scopes: SCOPE_LIST }),
  sessions: { ...COUNT, description: 'Sessions that have not ended.' },
  keys: { ...COUNT, description: 'Valid keys.' },
  keyScopes: SCOPE_LIST,
  groups: { ...listOf(TEXT), description: 'The groups of their keys. Those of a login are at the provider.' },
});

/** The people of the workspace. */
export function peopleRoutes({ database }: { readonly database: Database }): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/people',
      name: 'listPeople',
      summary: 'Lists who has logged in or has a valid key, with what they may do, and their sessions and keys',
      scope: 'admin',
      answer: {
        status: 200,
        description: 'Sorted by name, at most 1000',
        schema: objectOf({ people: listOf(PERSON) }),
      },
      handle: async ({ caller }) => ({ people: await listPeople(database, caller.workspace) }),
    }),
  ];
}
