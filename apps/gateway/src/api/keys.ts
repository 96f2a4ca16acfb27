import { type KeyInput, type Keys, SCOPES } from '../store/secrets/keys.ts';
import type { Logins } from '../store/secrets/logins.ts';
import { LINE, listOf, NAME, objectOf, type Route, route, type Schema, TIME } from './route/route.ts';

const ID: Schema = { type: 'string', pattern: '^[A-Za-z0-9]{8}$' };
const SCOPE_LIST: Schema = { type: 'array', minItems: 1, uniqueItems: true, items: { enum: SCOPES } };
/** Principals of tokens begin with `sub:`, so those of keys must not. */
const PRINCIPAL: Schema = { ...LINE, pattern: '^(?!sub:)[^\\p{C}]+$' };
const GROUPS: Schema = { type: 'array', maxItems: 100, uniqueItems: true, items: { ...LINE, maxLength: 200 } };
const PERSON: Schema = {
  ...LINE,
  description:
    'The person whose key it is: the principal of their login, such as `sub:ada`, or one name for all their keys. Absent: the person who creates it.',
};
const MADE = objectOf({ id: ID, text: { type: 'string', description: 'The key. It is returned only once.' } });

const INFO = objectOf({
  id: ID,
  principal: LINE,
  label: LINE,
  scopes: SCOPE_LIST,
  groups: GROUPS,
  'person?': LINE,
  madeAt: TIME,
  'expiresAt?': TIME,
  'revokedAt?': TIME,
});

interface KeyBody extends Omit<KeyInput, 'expires'> {
  readonly expires?: string;
}

export interface KeyRouteOptions {
  readonly keys: Keys;
  readonly logins: Logins;
  readonly nameOfWorkspace: (id: string) => Promise<string>;
}

const IS_LOCAL: Schema = {
  const: true,
  description: 'Set by `sallyport ui`, which serves one person without a gateway.',
};

/** The keys of the workspace, the sessions of people, and who the caller is. */
export function keyRoutes({ keys, logins, nameOfWorkspace }: KeyRouteOptions): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/me',
      name: 'readMe',
      summary: 'Says who the caller is, and what they may do',
      scope: SCOPES,
      answer: {
        status: 200,
        description: 'The caller',
        schema: objectOf({ principal: LINE, workspace: NAME, scopes: SCOPE_LIST, 'isLocal?': IS_LOCAL }),
      },
      handle: async ({ caller: { principal, workspace, scopes } }) => ({
        principal,
        workspace: await nameOfWorkspace(workspace),
        scopes: SCOPES.filter((scope) => scopes.has(scope)),
      }),
    }),
    route<{ principal: string }>({
      method: 'post',
      path: '/logins/end',
      name: 'endLogins',
      summary:
        'Ends all sessions of a person in this workspace at once. Their groups decide whether they can log in again',
      scope: 'admin',
      body: objectOf({ principal: LINE }),
      answer: {
        status: 200,
        description: 'The number of sessions that were ended',
        schema: objectOf({ ended: { type: 'integer', minimum: 0 } }),
      },
      handle: async ({ caller: { workspace, principal: by }, body }) => ({
        ended: await logins.endAll(workspace, body.principal, by),
      }),
    }),
    route({
      method: 'get',
      path: '/keys',
      name: 'listKeys',
      summary: 'Lists all keys, without their secrets',
      scope: 'admin',
      answer: { status: 200, description: 'Oldest first', schema: objectOf({ keys: listOf(INFO) }) },
      handle: async ({ caller }) => ({ keys: await keys.list(caller.workspace) }),
    }),
    route<KeyBody>({
      method: 'post',
      path: '/keys',
      name: 'createKey',
      summary: 'Creates a key',
      scope: 'admin',
      body: objectOf({
        principal: PRINCIPAL,
        label: LINE,
        scopes: SCOPE_LIST,
        'groups?': GROUPS,
        'person?': PERSON,
        'expires?': TIME,
      }),
      answer: { status: 201, description: 'The key', schema: MADE },
      handle({ caller: { workspace, principal, person = principal }, body: { expires, ...input } }) {
        const term = expires === undefined ? {} : { expires: new Date(expires) };
        return keys.create(workspace, { person, ...input, ...term }, principal);
      },
    }),
    route<{ graceSeconds: number }>({
      method: 'post',
      path: '/keys/{id}/rotate',
      name: 'rotateKey',
      summary: 'Creates a key that replaces another one, which stays valid for graceSeconds',
      scope: 'admin',
      parameters: { id: ID },
      body: objectOf({ graceSeconds: { type: 'integer', minimum: 0, maximum: 30 * 24 * 3600 } }),
      answer: { status: 201, description: 'The new key', schema: MADE },
      handle: ({ caller: { workspace, principal }, parameters: { id = '' }, body }) =>
        keys.rotate(workspace, id, body.graceSeconds, principal),
    }),
    route({
      method: 'delete',
      path: '/keys/{id}',
      name: 'revokeKey',
      summary: 'Revokes a key at once',
      scope: 'admin',
      parameters: { id: ID },
      answer: { status: 204, description: 'The key was revoked' },
      handle: ({ caller: { workspace, principal }, parameters: { id = '' } }) => keys.revoke(workspace, id, principal),
    }),
  ];
}
