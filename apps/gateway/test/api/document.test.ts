import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppOptions, createApp } from '../../src/app.ts';
import { Bus } from '../../src/cache/bus.ts';
import { EXAMPLES, methodOf } from './examples.ts';
import { openRig, type Rig, type World } from './rig.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: { name: string; in: string; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object> };
}

let rig: Rig;
let world: World;
let document: Document;
const ajv = new Ajv2020({
  strictTypes: false,
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
});

beforeAll(async () => {
  rig = await openRig();
  world = await rig.world('mine');
  document = (await rig.ask('GET', '/openapi.json')).body;
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: 'api', components: document.components });
});

afterAll(() => rig.close());

const inDocument = (): string[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((each) => `${each} ${path}`),
  );

function operation(name: string): Operation {
  const [method = '', path = ''] = name.split(' ');
  return document.paths[path]?.[method] as Operation;
}

/** How an answer differs from the document. */
function wrongIn(name: string, status: number, type: string, value: unknown): unknown {
  const response = operation(name).responses[status];
  if (response === undefined) return `${name} is not said to answer ${status}`;
  if (response.content === undefined) return value === '' ? undefined : 'a body where none is said';
  const schema = response.content[type]?.schema;
  if (schema === undefined) return `${name} is not said to answer ${type}`;
  const pointed = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
  return ajv.validate(pointed, value) ? undefined : ajv.errorsText();
}

test('every route is in the document, and every operation of the document is a route', () => {
  const bus = new Bus();
  const config = { publicUrl: 'https://gateway.example' };
  const options = { config, bus, metrics: { watchReadiness: () => undefined } } as unknown as AppOptions;
  const { routes } = createApp(options);
  bus.close();
  const inCode = routes
    .filter(({ path, method }) => path.startsWith('/api/') && method !== 'ALL')
    .map(({ path, method }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect([...new Set(inCode)].toSorted()).toEqual(inDocument().toSorted());
  expect(document.openapi).toBe('3.1.0');
  const ids = inDocument().map((name) => operation(name).operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every parameter of a path is described, and every schema compiles', () => {
  for (const name of inDocument()) {
    const { parameters = [], requestBody } = operation(name);
    const described = parameters.filter((each) => each.in === 'path').map((each) => each.name);
    expect(described).toEqual([...name.matchAll(/\{(\w+)\}/g)].map(([, each]) => each));
    for (const { schema } of parameters) ajv.compile(schema);
    if (requestBody !== undefined) ajv.compile(requestBody.content['application/json']?.schema ?? false);
  }
});

test('every operation has an example', () => {
  const apart = ['get /api/v1/events', 'get /api/v1/me', 'get /api/v1/openapi.json'];
  expect([...EXAMPLES.map((each) => each.operation), ...apart].toSorted()).toEqual(inDocument().toSorted());
});

test.each(EXAMPLES)('$operation and its refusals match the document', async (example) => {
  const { operation: name, path, query = '', body } = example;
  const method = methodOf(example);
  const given = body === undefined ? {} : { body: body(world) };
  const address = `${path(world)}${query === '' ? '' : `?${query}`}`;
  const refused = [
    await rig.ask(method, address, given),
    await rig.ask(method, address, { ...given, key: await rig.keyOf(world.workspace, ['mcp']) }),
    await rig.ask(method, `${path(world)}?unknown=1`, { ...given, key: world.key }),
    ...(body === undefined ? [] : [await rig.ask(method, address, { key: world.key, body: '{' })]),
    ...(body === undefined ? [] : [await rig.ask(method, address, { key: world.key, body: { unknown: 1 } })]),
    ...(body === undefined
      ? []
      : [await rig.ask(method, address, { key: world.key, body: '{}', headers: { 'content-type': 'text/plain' } })]),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 403, 422, 400, 422, 415].slice(0, refused.length));
  for (const answer of refused) expect(wrongIn(name, answer.status, 'application/json', answer.body)).toBeUndefined();
  const answer = await rig.ask(method, address, { ...given, key: world.key });
  expect([name, answer.status]).toEqual([name, Number(Object.keys(operation(name).responses)[0])]);
  const type = answer.headers.get('content-type') ?? '';
  const values =
    type === 'application/jsonl'
      ? (answer.body as string)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [answer.body];
  for (const value of values) expect(wrongIn(name, answer.status, type, value)).toBeUndefined();
});

test('lists match the document even after revocation, promotion and change', async () => {
  const key = await rig.keyOf(world.workspace);
  const { id } = (await rig.ask('POST', '/keys', { key, body: { principal: 'a', label: 'b', scopes: ['mcp'] } })).body;
  await rig.ask('DELETE', `/keys/${id}`, { key });
  for (const path of ['/keys', '/submissions', '/policy/history', '/policy']) {
    const { status, body } = await rig.ask('GET', path, { key });
    expect([path, wrongIn(`get /api/v1${path}`, status, 'application/json', body)]).toEqual([path, undefined]);
    expect(JSON.stringify(body)).toMatch(/revokedAt|promotedBy|"by"/);
  }
});

test('a caller with any scope learns who they are, as the document says', async () => {
  const key = await rig.keyOf(world.workspace, ['audit'], 'auditor');
  const { status, body } = await rig.ask('GET', '/me', { key });
  expect([status, body]).toEqual([200, { principal: 'auditor', workspace: 'mine', scopes: ['audit'] }]);
  expect(wrongIn('get /api/v1/me', status, 'application/json', body)).toBeUndefined();
  expect((await rig.ask('GET', '/me')).status).toBe(401);
});

test('no answer has undocumented properties', async () => {
  for (const path of ['/', '', '/nothing', '/keys/', '/keys/x/y/z'])
    expect((await rig.ask('GET', path, { key: world.key })).status).toBe(404);
  expect((await rig.ask('PATCH', '/keys', { key: world.key })).status).toBe(404);
});
