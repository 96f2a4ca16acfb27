import { afterEach, describe, expect, test } from 'vitest';
import { FIELD_NOTICE, type TaggedResponse, type TagResponsesOptions } from '../src/index.ts';
import { APPS, type App, CONTACTS, POISON } from './apps.ts';

const FIELDS = ['/contacts/*/name'];
const OPEN = /<untrusted_field ([a-z]+(?: [a-z]+){3})>/;

function inTags(text: string, body: string): string {
  const code = OPEN.exec(body)?.[1];
  return `<untrusted_field ${code}>${text}</untrusted_field ${code}>`;
}

describe.each(APPS)('$name', ({ open }) => {
  const opened: App[] = [];
  afterEach(async () => {
    for (const app of opened.splice(0)) await app.close();
  });

  async function get(path: string, options: TagResponsesOptions = {}, times = 1) {
    const app = await open(options, times);
    opened.push(app);
    const response = await fetch(app.url + path);
    const body = await response.text();
    return { status: response.status, headers: response.headers, body };
  }

  test('the declared fields of a response are tagged, and the rest stays as it is', async () => {
    const { status, headers, body } = await get('/contacts', { fields: FIELDS });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('etag')).toBeNull();
    expect(Object.keys(JSON.parse(body))[0]).toBe('_security_notice');
    expect(JSON.parse(body)).toEqual({
      _security_notice: FIELD_NOTICE,
      contacts: [{ id: 'a1b2c3d4', name: inTags(POISON, body), status: 'active' }],
      total: 1,
    });
  });

  test('without a declaration, every text and name is tagged', async () => {
    const { body } = await get('/contacts');
    expect(body).toContain(inTags('active', body));
    expect(body).toContain(inTags('contacts', body));
    expect(body).toContain('"id":"a1b2c3d4"');
  });

  test('the fields can depend on the request, and an empty list leaves a response as it is', async () => {
    const seen: TaggedResponse[] = [];
    const options: TagResponsesOptions = {
      fields: ({ path }) => (path === '/own' ? [] : FIELDS),
      onTagged: (response) => seen.push(response),
    };
    expect((await get('/own?a=1', options)).body).toBe('{"help":"Read the list."}');
    expect((await get('/contacts?a=1', options)).body).toContain('untrusted_field ');
    expect(seen).toEqual([{ method: 'GET', path: '/contacts', count: 1 }]);
  });

  test('a streamed response is tagged', async () => {
    const { body } = await get('/stream', { fields: FIELDS });
    expect(JSON.parse(body)).toMatchObject({ contacts: [{ name: inTags(POISON, body) }] });
  });

  test('errors are tagged, and keep their status', async () => {
    const problem = await get('/problem', { fields: ['/detail'] });
    expect(problem.status).toBe(422);
    expect(JSON.parse(problem.body)).toMatchObject({ detail: inTags(POISON, problem.body) });
    const thrown = await get('/throws', { knownKeys: ['error'] });
    expect(thrown.status).toBe(500);
    expect(JSON.parse(thrown.body)).toMatchObject({ error: inTags(POISON, thrown.body) });
  });

  test('a body that is not an object is tagged as a whole, whatever is declared', async () => {
    const scalar = await get('/scalar', { fields: FIELDS });
    expect(JSON.parse(scalar.body)).toEqual({ _security_notice: FIELD_NOTICE, value: inTags(POISON, scalar.body) });
    const broken = await get('/broken', { fields: FIELDS });
    expect(JSON.parse(broken.body).value).toBe(inTags(`{"name": ${POISON}`, broken.body));
  });

  test('numbers are not rounded', async () => {
    const large = await get('/large-number', { fields: FIELDS });
    expect(large.body).toContain('12345678901234567890');
    expect(JSON.parse((await get('/share', { fields: FIELDS })).body)).toMatchObject({ share: 0.1 + 0.2, total: 1 });
  });

  test('other content and empty responses pass', async () => {
    expect((await get('/text')).body).toBe(POISON);
    expect(await get('/empty')).toMatchObject({ status: 204, body: '' });
  });

  test('a response that is compressed already, and invalid pointers, are errors', async () => {
    const compressed = await get('/compressed', { fields: FIELDS });
    expect(compressed).toMatchObject({ status: 500, body: expect.stringContaining('could not be tagged') });
    const invalid = await get('/contacts', { fields: () => ['contacts'] });
    expect(invalid).toMatchObject({ status: 500, body: expect.stringContaining('could not be tagged') });
    await expect(open({ fields: ['contacts'] })).rejects.toThrow('JSON pointers');
  });

  test('a middleware that is mounted twice tags once', async () => {
    const { body } = await get('/contacts', { fields: FIELDS }, 2);
    expect(body.match(/<untrusted_field /g)).toHaveLength(1);
    expect(body).not.toContain('~x3c~');
  });

  test('each response has a code of its own', async () => {
    const codes = [await get('/contacts'), await get('/contacts')].map(({ body }) => OPEN.exec(body)?.[1]);
    expect(new Set(codes).size).toBe(2);
    const app = await open({});
    opened.push(app);
    const [one, other] = [await fetch(`${app.url}/contacts`), await fetch(`${app.url}/contacts`)];
    expect(OPEN.exec(await one.text())?.[1]).not.toBe(OPEN.exec(await other.text())?.[1]);
  });

  test('a request for the headers gets no body', async () => {
    const app = await open({ fields: FIELDS });
    opened.push(app);
    const response = await fetch(`${app.url}/contacts`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

test('the records that the applications send are not changed', () => {
  expect(CONTACTS.contacts[0]?.name).toBe(POISON);
});
