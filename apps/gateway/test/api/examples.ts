import { ADDRESS, SECRET, type World } from './rig.ts';

/** A valid request to one operation, for the objects of a world. */
export interface Example {
  readonly operation: string;
  /** The path with its parameters. */
  readonly path: (world: World) => string;
  readonly query?: string;
  readonly body?: (world: World) => unknown;
  /** The result of the same request in another workspace: not found, or only the objects of that workspace. */
  readonly stranger: 404 | 'own';
}

/** One request for each operation. Those that consume an object come after those that need it. */
export const EXAMPLES: readonly Example[] = [
  { operation: 'get /api/v1/approvals', path: () => '/approvals', query: 'state=pending', stranger: 'own' },
  {
    operation: 'post /api/v1/approvals/{id}',
    path: ({ approval }) => `/approvals/${approval}`,
    body: () => ({ answer: 'approved', note: 'as agreed', scope: 'task' }),
    stranger: 404,
  },
  { operation: 'get /api/v1/approvals/lasting', path: () => '/approvals/lasting', stranger: 'own' },
  {
    operation: 'delete /api/v1/approvals/lasting/{id}',
    path: ({ lasting }) => `/approvals/lasting/${lasting}`,
    stranger: 404,
  },
  {
    operation: 'get /api/v1/submissions',
    path: () => '/submissions',
    query: 'lifecycle=candidate',
    stranger: 'own',
  },
  {
    operation: 'post /api/v1/submissions',
    path: () => '/submissions',
    body: () => ({ id: 'again', conversation: 'talk', text: 'a note', derivedFrom: ['r1'] }),
    stranger: 'own',
  },
  {
    operation: 'get /api/v1/submissions/{id}',
    path: ({ submission }) => `/submissions/${submission.id}`,
    stranger: 404,
  },
  {
    operation: 'post /api/v1/submissions/{id}/promote',
    path: ({ submission }) => `/submissions/${submission.id}/promote`,
    body: ({ submission }) => ({ digest: submission.digest }),
    stranger: 404,
  },
  { operation: 'get /api/v1/servers', path: () => '/servers', stranger: 'own' },
  {
    operation: 'put /api/v1/servers/{name}',
    path: ({ server }) => `/servers/${server}`,
    body: () => ({
      kind: 'http',
      url: ADDRESS,
      credentials: {
        type: 'client-credentials',
        tokenEndpoint: 'https://8.8.4.4/token',
        clientId: 'us',
        clientSecret: SECRET,
        scope: 'mail',
        resource: ADDRESS,
      },
    }),
    stranger: 'own',
  },
  { operation: 'get /api/v1/pins', path: () => '/pins', stranger: 'own' },
  {
    operation: 'post /api/v1/pins/{server}/reject',
    path: ({ server }) => `/pins/${server}/reject`,
    body: ({ pin }) => ({ digest: pin }),
    stranger: 404,
  },
  {
    operation: 'post /api/v1/pins/{server}/accept',
    path: ({ server }) => `/pins/${server}/accept`,
    body: ({ pin }) => ({ digest: pin }),
    stranger: 404,
  },
  { operation: 'get /api/v1/policy', path: () => '/policy', stranger: 'own' },
  { operation: 'get /api/v1/policy/history', path: () => '/policy/history', stranger: 'own' },
  {
    operation: 'put /api/v1/policy',
    path: () => '/policy',
    body: ({ server }) => ({
      version: 1,
      allowUnknown: true,
      body: {
        preset: 'strict',
        secondPerson: ['spend'],
        servers: { [server]: { tools: { send: { effect: 'read', modelText: ['to'] } } } },
      },
    }),
    stranger: 'own',
  },
  {
    operation: 'post /api/v1/logins/end',
    path: () => '/logins/end',
    body: () => ({ principal: 'sub:ada' }),
    stranger: 'own',
  },
  {
    operation: 'post /api/v1/policy/dry-run',
    path: () => '/policy/dry-run',
    body: () => ({ hours: 24, body: { preset: 'strict' } }),
    stranger: 'own',
  },
  { operation: 'get /api/v1/keys', path: () => '/keys', stranger: 'own' },
  {
    operation: 'post /api/v1/keys',
    path: () => '/keys',
    body: () => ({ principal: 'bob', label: 'laptop', scopes: ['mcp'], expires: '2099-01-01T00:00:00Z' }),
    stranger: 'own',
  },
  { operation: 'get /api/v1/conversations', path: () => '/conversations', query: 'hours=24', stranger: 'own' },
  {
    operation: 'get /api/v1/conversations/{id}',
    path: ({ name }) => `/conversations/${Buffer.from(`["${name}-person"]`).toString('base64url')}`,
    stranger: 404,
  },
  {
    operation: 'post /api/v1/conversations/{id}/dry-run',
    path: ({ name }) => `/conversations/${Buffer.from(`["${name}-person"]`).toString('base64url')}/dry-run`,
    body: () => ({ body: { preset: 'strict' } }),
    stranger: 404,
  },
  { operation: 'get /api/v1/findings', path: () => '/findings', stranger: 'own' },
  {
    operation: 'post /api/v1/feedback',
    path: () => '/feedback',
    body: ({ finding }) => ({ finding, verdict: 'false-alarm' }),
    stranger: 404,
  },
  {
    operation: 'post /api/v1/conversations/{id}/passages',
    path: ({ name }) => `/conversations/${Buffer.from(`["${name}-person"]`).toString('base64url')}/passages`,
    body: () => ({ entry: 'r1/0', start: 0, end: 4 }),
    stranger: 404,
  },
  {
    operation: 'post /api/v1/conversations/{id}/decisions',
    path: ({ name }) => `/conversations/${Buffer.from(`["${name}-person"]`).toString('base64url')}/decisions`,
    body: () => ({ call: 'c1', verdict: 'attack' }),
    stranger: 404,
  },
  { operation: 'get /api/v1/corrections', path: () => '/corrections', stranger: 'own' },
  { operation: 'get /api/v1/corrections/export', path: () => '/corrections/export', stranger: 'own' },
  { operation: 'get /api/v1/thresholds', path: () => '/thresholds', stranger: 'own' },
  {
    operation: 'post /api/v1/thresholds/dry-run',
    path: () => '/thresholds/dry-run',
    body: ({ server }) => ({ server, tag: 'obfuscated', least: 'medium', hours: 24 }),
    stranger: 'own',
  },
  { operation: 'get /api/v1/thresholds/{server}', path: ({ server }) => `/thresholds/${server}`, stranger: 'own' },
  {
    operation: 'put /api/v1/thresholds',
    path: () => '/thresholds',
    body: ({ server }) => ({ server, tag: 'exfiltration', least: 'low' }),
    stranger: 'own',
  },
  { operation: 'get /api/v1/audit/export', path: () => '/audit/export', stranger: 'own' },
  { operation: 'get /api/v1/audit/verify', path: () => '/audit/verify', query: '', stranger: 'own' },
  {
    operation: 'get /api/v1/audit/events',
    path: () => '/audit/events',
    query:
      'person=rig&server=mail&tool=t&rule=r&outcome=ask&type=call&from=2026-01-01T00:00:00Z&to=2099-01-01T00:00:00Z&before=9&limit=200',
    stranger: 'own',
  },
  {
    operation: 'get /api/v1/audit/statistics',
    path: () => '/audit/statistics',
    query: 'hours=744',
    stranger: 'own',
  },
  { operation: 'get /api/v1/people', path: () => '/people', stranger: 'own' },
  {
    operation: 'post /api/v1/keys/{id}/rotate',
    path: ({ keyId }) => `/keys/${keyId}/rotate`,
    body: () => ({ graceSeconds: 3600 }),
    stranger: 404,
  },
  { operation: 'get /api/v1/connections', path: () => '/connections', stranger: 'own' },
  {
    operation: 'post /api/v1/connections/end',
    path: () => '/connections/end',
    body: ({ name }) => ({ principal: `${name}-nobody`, server: `${name}-crm` }),
    stranger: 'own',
  },
  {
    operation: 'post /api/v1/servers/{name}/connection',
    path: ({ name }) => `/servers/${name}-crm/connection`,
    stranger: 404,
  },
  {
    operation: 'delete /api/v1/servers/{name}/connection',
    path: ({ name }) => `/servers/${name}-crm/connection`,
    stranger: 404,
  },
  { operation: 'get /api/v1/webhooks', path: () => '/webhooks', stranger: 'own' },
  {
    operation: 'put /api/v1/webhooks/{name}',
    path: () => '/webhooks/chat',
    body: () => ({ url: `https://8.8.8.8/${SECRET}`, format: 'slack' }),
    stranger: 'own',
  },
  {
    operation: 'post /api/v1/webhooks/{name}/test',
    path: ({ name }) => `/webhooks/${name}-desk/test`,
    stranger: 404,
  },
  { operation: 'delete /api/v1/webhooks/{name}', path: ({ name }) => `/webhooks/${name}-desk`, stranger: 404 },
  { operation: 'delete /api/v1/servers/{name}', path: ({ server }) => `/servers/${server}`, stranger: 404 },
  { operation: 'delete /api/v1/keys/{id}', path: ({ keyId }) => `/keys/${keyId}`, stranger: 404 },
];

export const methodOf = ({ operation }: Example): string => operation.split(' ')[0]?.toUpperCase() ?? '';
