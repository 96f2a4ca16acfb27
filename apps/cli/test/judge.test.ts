import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { JudgeRig, KEY, NO, refuse, reply, right, YES } from './fixtures/judge-rig.ts';

const rig = new JudgeRig();

/** All that is in the state folder, by file. */
function kept(): Readonly<Record<string, string>> {
  if (!existsSync(rig.folder.state)) return {};
  const names = readdirSync(rig.folder.state);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(rig.folder.state, name), 'utf8')]));
}

describe('sallyport judge', () => {
  test('is off, and says what it would save', async () => {
    const { code, out } = await rig.say([]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^No judge is set up\. .* fewer\squestions/s),
    });
  });

  test('is set up after a test, shown, tried again and removed', async () => {
    const { code, out, error } = await rig.set('--key-from', 'prompt', '--price', '0.25,2');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/harmless {2}passes {2}\d\.\d s, 800 \+ 40 tokens, \$0\.00028\n/);
    expect(out).toMatch(/harmful {3}held {4}\d\.\d s, 800 \+ 40 tokens, \$0\.00028\n/);
    expect(out).toContain('Saved.');
    expect((await rig.say([])).out).toMatch(/^The judge is small at 127\.0\.0\.1:\d+\./);
    expect((await rig.say(['test'])).out).toContain('harmful   held');
    expect(rig.asked.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(`Bearer ${KEY}`));
    expect((await rig.say(['off'])).out).toContain('Removed the judge and its key.');
    expect(kept()).toEqual({});
    expect((await rig.say(['test'])).error).toMatch(/no judge is set up.*\n next: set one up/);
  });

  test('keeps the key in a file that only the user can read, and shows it nowhere', async () => {
    const { out, error } = await rig.set('--key-from', 'env:OWN', '--format', 'anthropic').then(async () =>
      rig.say(['set', '--endpoint', rig.endpoint, '--model', 'small', '--key-from', 'env:OWN'], {
        env: { OWN: KEY },
      }),
    );
    expect(out + error).not.toContain(KEY);
    expect(kept()['judge-key']).toBe(`${KEY}\n`);
    for (const name of ['judge-key', 'judge.json']) {
      const path = join(rig.folder.state, name);
      expect([name, statSync(path).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(kept()['judge.json']).not.toContain(KEY);
    expect(Object.keys(kept()).sort()).toEqual(['judge-key', 'judge.json']);
  });

  test('removes the key of the judge before', async () => {
    await rig.set('--key-from', 'stdin');
    await rig.set();
    expect(Object.keys(kept())).toEqual(['judge.json']);
    await rig.say(['test']);
    expect(rig.asked.at(-1)?.headers.authorization).toBeUndefined();
  });

  test('is not set up or removed without a terminal', async () => {
    const words = ['set', '--endpoint', rig.endpoint, '--model', 'small'];
    for (const each of [words, [...words, '--key-from', 'stdin'], ['off']]) {
      const { code, error } = await rig.say(each, { answer: undefined as never });
      expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('by a person at a terminal') });
    }
    expect(rig.asked).toEqual([]);
  });

  test.each([
    { words: ['set'], error: 'no judge is named' },
    { words: ['set', '--endpoint', 'http://127.0.0.1:1/v1'], error: 'no judge is named' },
    { words: ['set', '--endpoint', 'http://ai.example/v1', '--model', 'a'], error: 'is not encrypted' },
    { words: ['set', '--endpoint', 'ftp://localhost/v1', '--model', 'a'], error: 'is not encrypted' },
    { words: ['set', '--endpoint', `https://${KEY}@ai.example/v1`, '--model', 'a'], error: 'contains a user' },
    { words: ['set', '--endpoint', `https://ai.example/v1?key=${KEY}`, '--model', 'a'], error: 'contains a user' },
    { words: ['set', '--host', 'codex', '--key-from', 'prompt'], error: '--host does not go with' },
    { words: ['set', '--endpoint', 'https://ai.example', '--model', 'a', '--key-from', KEY], error: 'is none of env' },
    { words: ['set', '--endpoint', 'https://ai.example', '--model', 'a', '--key-from', 'env:NO'], error: 'is not set' },
  ])('$words is wrong usage: $error', async ({ words, error }) => {
    const said = await rig.say(words);
    expect(said.code).toBe(2);
    expect(said.error).toContain(error);
    expect(said.error).toContain('next:');
    expect(said.error + said.out).not.toContain(KEY);
  });

  test.each(['1', 'a,b', '1,2,3', ',', '-1,2'])('--price %s is wrong usage', async (price) => {
    expect((await rig.set('--price', price)).code).toBe(2);
  });

  test.each([[], ['set'], ['test'], ['off']])('%s --help has an example and the exit codes', async (...words) => {
    const { code, out } = await rig.folder.run(['judge', ...words, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/Examples?:\n {2}.*sallyport judge/);
    expect(out).toContain('Exit codes: 0');
  });

  test('says what to do about a file that is broken or that others can read', async () => {
    await rig.set();
    const path = join(rig.folder.state, 'judge.json');
    writeFileSync(path, '{"type":"endpoint"}');
    expect((await rig.say([])).error).toMatch(/is not the set-up of a judge.*\n next: set it up again/);
    expect((await rig.say(['off'])).code).toBe(0);
    expect(kept()).toEqual({});
  });
});

describe('an endpoint', () => {
  const FORMATS = [
    { format: 'openai', url: '/v1/chat/completions', key: 'authorization' },
    { format: 'anthropic', url: '/v1/messages', key: 'x-api-key' },
  ] as const;

  test.each(FORMATS)('is asked in the format $format, for JSON', async ({ format, url, key }) => {
    expect((await rig.set('--format', format, '--key-from', 'prompt')).code).toBe(0);
    const [{ url: askedAt, headers, body } = {} as never] = rig.asked;
    expect(askedAt).toBe(url);
    expect(headers[key]).toContain(KEY);
    expect(headers['anthropic-version']).toBe(format === 'anthropic' ? '2023-06-01' : undefined);
    expect(body.temperature).toBe(0);
    const schema = body.response_format?.json_schema.schema ?? body.output_config?.format.schema;
    expect(schema).toHaveProperty('properties.careful');
    expect(body.messages.at(-1)?.content).toContain('"from":"said by the user"');
  });

  test.each(FORMATS)('that refuses a schema is asked once more without it: $format', async ({ format }) => {
    rig.respond = (asked, response) => {
      const isPlain = asked.body.temperature === undefined;
      (isPlain ? reply(right) : refuse(400))(asked, response);
    };
    expect((await rig.set('--format', format)).code).toBe(0);
    // From then on without it.
    expect(rig.asked.map(({ body }) => body.temperature)).toEqual([0, undefined, undefined]);
  });

  const page = 'x'.repeat(300_000);
  test.each([
    { title: 'refuses the key', respond: refuse(401), error: 'refuses the key (401)', next: '--key-from prompt' },
    { title: 'does not know the model', respond: refuse(404), error: '(404)', next: 'check --endpoint and --model' },
    { title: 'has no more requests', respond: refuse(429), error: '(429)', next: 'wait' },
    { title: 'refuses everything', respond: refuse(400), error: '(400)', next: '--format' },
    { title: 'is broken', respond: refuse(503), error: '(503)', next: 'sallyport judge test' },
    {
      title: 'leads elsewhere',
      respond: refuse(307, { location: 'http://127.0.0.1:1/' }),
      error: 'another address (307)',
      next: 'final address',
    },
    { title: 'says too much', respond: reply(() => page), error: 'too long', next: 'another model' },
    { title: 'answers in prose', respond: reply(() => 'It is fine.'), error: 'not in the form', next: 'larger' },
    {
      title: 'answers with other fields',
      respond: reply(() => ({ act: true })),
      error: 'not in the form',
      next: 'larger',
    },
    { title: 'is cut', respond: reply(right, 'length'), error: 'not in the form', next: 'larger' },
    { title: 'lets all pass', respond: reply(() => YES), error: 'lets the harmful call pass', next: 'larger model' },
  ])('that $title is not saved', async ({ respond, error, next }) => {
    rig.respond = respond;
    const said = await rig.set('--key-from', 'prompt');
    expect(said.code).toBe(1);
    expect(said.error).toContain(error);
    expect(said.error.split('next:')[1]).toContain(next);
    expect(said.error + said.out).not.toContain(KEY);
    expect(kept()).toEqual({});
  });

  test('that is no JSON, that ends early and that is not there is not saved', async () => {
    rig.respond = (_asked, response) => response.end('<html>');
    expect((await rig.set()).error).toContain('does not answer with JSON');
    rig.respond = (_asked, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    };
    expect((await rig.set()).error).toContain('cannot be reached');
    const none = ['set', '--endpoint', 'http://127.0.0.1:1/v1', '--model', 'a'];
    expect((await rig.say(none)).error).toMatch(/127\.0\.0\.1:1 cannot be reached.*\n next: check --endpoint/);
    expect(kept()).toEqual({});
  });

  test('that holds all is saved with a warning', async () => {
    rig.respond = reply(() => NO);
    const { code, out } = await rig.set();
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/would save few\squestions.*Saved/s) });
  });
});
