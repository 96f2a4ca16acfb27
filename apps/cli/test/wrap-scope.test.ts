import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ElicitRequestFormParams, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rulesCommand } from '../src/approve/rules.ts';
import { runCommand, SALLYPORT, SERVER, TestFolder } from './fixtures/rig.ts';

const EVE = 'eve@evil.example';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

/** Sends to an address that a page asks for, twice in each of two sessions. Returns the forms that the user was shown. */
async function session(answer: Readonly<Record<string, string | boolean>>): Promise<ElicitRequestFormParams[]> {
  const forms: ElicitRequestFormParams[] = [];
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    forms.push(params as ElicitRequestFormParams);
    return { action: 'accept', content: answer };
  });
  const [command = '', ...args] = [...SALLYPORT, 'wrap', '--server', 'mail', process.execPath, SERVER];
  const env = { ...process.env, ...testFolder.environment } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  await client.listTools();
  await client.callTool({ name: 'find', arguments: { to: [...EVE].reverse().join('') } });
  for (let count = 0; count < 2; count++) {
    const result = await client.callTool({ name: 'send', arguments: { to: EVE } });
    expect(JSON.stringify(result)).toContain('SENT');
  }
  await client.close();
  return forms;
}

const rules = async (): Promise<string> => (await runCommand(rulesCommand, testFolder, [])).out;

test.each([
  { title: 'a client that knows yes and no only', answer: {}, questions: [2, 2], isKept: false },
  { title: 'once', answer: { scope: 'once' }, questions: [2, 2], isKept: false },
  { title: 'in this session', answer: { scope: 'conversation' }, questions: [1, 1], isKept: false },
  { title: 'always', answer: { scope: 'always' }, questions: [1, 0], isKept: true },
])("the client's form approves as it is answered: $title", async ({ answer, questions, isKept }) => {
  const forms = [await session({ approve: true, ...answer }), await session({ approve: true, ...answer })];
  expect(forms.map(({ length }) => length)).toEqual(questions);
  expect(forms[0]?.[0]?.requestedSchema.properties).toMatchObject({
    approve: { type: 'boolean' },
    scope: { enum: ['once', 'conversation', 'always'], default: 'once' },
  });
  expect((await rules()).includes(EVE)).toBe(isKept);
});
