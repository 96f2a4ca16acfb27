import { type KeyInput, type Keys, SCOPES } from '../store/secrets/keys.ts';
import { LINE, listOf, objectOf, type Route, route, type Schema, TIME } from './route.ts';

const ID: Schema = { type: 'string', pattern: '^[A-Za-z0-9]{8}$' };
const SCOPE_LIST: Schema = { type: 'array', minItems: 1, uniqueItems: true, items: { enum: SCOPES } };
/** Who is named by a token begins so, and is nobody with a key. */
const PRINCIPAL: Schema = { ...LINE, pattern: '^(?!sub:)[^\\p{C}]+$' };
const MADE = objectOf({ id: ID, text: { type: 'string', description: 'The key. It is given this once.' } });

const INFO = objectOf({
  id: ID,
  principal: LINE,
  label: LINE,
  scopes: SCOPE_LIST,
  madeAt: TIME,
  'expiresAt?': TIME,
  'revokedAt?': TIME,
});

interface KeyBody extends Omit<KeyInput, 'expires'> {
  readonly expires?: string;
}

/** The keys of the workspace. */
export function keyRoutes(keys: Keys): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/keys',
      name: 'listKeys',
      summary: 'All keys, without their secrets',
      scope: 'admin',
      answer: { status: 200, description: 'The oldest first', schema: objectOf({ keys: listOf(INFO) }) },
      handle: async ({ caller }) => ({ keys: await keys.list(caller.workspace) }),
    }),
    route<KeyBody>({
      method: 'post',
      path: '/keys',
      name: 'createKey',
      summary: 'Makes a key',
      scope: 'admin',
      body: objectOf({ principal: PRINCIPAL, label: LINE, scopes: SCOPE_LIST, 'expires?': TIME }),
      answer: { status: 201, description: 'The key', schema: MADE },
      handle: ({ caller: { workspace, principal }, body: { expires, ...input } }) =>
        keys.create(workspace, expires === undefined ? input : { ...input, expires: new Date(expires) }, principal),
    }),
    route<{ graceSeconds: number }>({
      method: 'post',
      path: '/keys/{id}/rotate',
      name: 'rotateKey',
      summary: 'Makes a key in place of another one, which stays valid for a while',
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
      summary: 'Revokes a key: from now on nobody gets in with it',
      scope: 'admin',
      parameters: { id: ID },
      answer: { status: 204, description: 'It is revoked' },
      handle: ({ caller: { workspace, principal }, parameters: { id = '' } }) => keys.revoke(workspace, id, principal),
    }),
  ];
}
