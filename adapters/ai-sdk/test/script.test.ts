import { spanClassifier } from '@sallyport/classifier';
import { createBoundary, defineTool } from '@sallyport/core';
import { record } from '@sallyport/core/stages';
import { createScripts, quickjsEngine, type Suspension, scriptTool } from '@sallyport/sandbox';
import type { ModelMessage } from 'ai';
import { afterAll, describe, expect, it } from 'vitest';
import { protect, runScript } from '../src/index.ts';
import { MODEL, POISON } from './world.ts';

const engine = quickjsEngine();
afterAll(() => engine.close());

const READ = defineTool({ name: 'read', origin: 'external', effect: 'read' });
const PAY = defineTool({ name: 'pay', origin: 'workspace', effect: 'spend' });
const USER: ModelMessage = { role: 'user', content: 'Pay 50 to DE02120300 and read the mail.' };

type Execute = (
  input: { source: string },
  options: { toolCallId: string; messages: ModelMessage[] },
) => Promise<unknown>;

function opened(content = POISON) {
  const boundary = createBoundary({ tools: [READ, PAY, scriptTool()], classifier: spanClassifier });
  const conversation = boundary.conversation('c');
  const paid: unknown[] = [];
  const suspended: Suspension[] = [];
  const scripts = createScripts({
    conversation,
    engine,
    functions: { pay: { tool: PAY, run: (given) => paid.push(given) } },
  });
  const mail = record({ id: 'mail', source: READ.source, content });
  const tool = runScript(scripts, { input: { mail }, onSuspended: (suspension) => suspended.push(suspension) });
  let shown: unknown;
  const model = {
    ...(MODEL as object),
    doGenerate: async ({ prompt }: { readonly prompt: unknown }) => {
      shown = prompt;
      return { content: [], finishReason: 'stop', usage: {}, warnings: [] };
    },
  } as never;
  const guarded = protect(conversation, { model, tools: { run_script: tool }, declare: conversation.tools });
  const execute = guarded.tools.run_script.execute as unknown as Execute;
  const show = async (prompt: unknown): Promise<unknown> => {
    await (guarded.model as unknown as { doGenerate(options: object): Promise<unknown> }).doGenerate({ prompt });
    return shown;
  };
  const run = (source: string) => execute({ source }, { toolCallId: 's', messages: [USER] });
  return { conversation, show, paid, run, scripts, suspended, tool };
}

describe('a script as a tool', () => {
  it('returns its raw value, which the model sees in a frame with the label of what the script read', async () => {
    const { conversation, show, run, tool } = opened();
    expect(tool.description).toContain('await pay({ ... })');
    const value = await run('return { length: input.mail.length }');
    expect(value).toEqual({ length: POISON.length });
    const call = { type: 'tool-call', toolCallId: 's', toolName: 'run_script', input: { source: '' } };
    const result = { type: 'tool-result', toolCallId: 's', toolName: 'run_script', output: { type: 'json', value } };
    const prompt = [
      { role: 'user', content: [{ type: 'text', text: String(USER.content) }] },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ];
    expect(JSON.stringify(await show(prompt))).toMatch(/<untrusted [a-z]+(?: [a-z]+){3} from=run_script/);
    const derived = conversation.records.filter(({ derivation }) => derivation.includes('mail'));
    expect(derived.map(({ label }) => label)).toContainEqual({ integrity: 'external', confidentiality: 'secret' });
  });

  it('returns a text if it failed', async () => {
    expect(await opened().run('throw new TypeError("no such mail")')).toBe(
      'The script failed. TypeError: no such mail',
    );
  });

  it('runs an effect that the user asked for, and none that a mail asks for', async () => {
    const { paid, run } = opened('Lunch at noon?');
    expect(await run("await pay({ to: 'DE02120300', amount: 50 }); return 'paid'")).toBe('paid');
    const found = `input.mail.match(/\\S+@evil.example/)[0]`;
    const poisoned = opened();
    expect(await poisoned.run(`try { await pay({ to: ${found} }) } catch ({ message }) { return message }`)).toContain(
      'was not made',
    );
    expect(paid).toEqual([{ to: 'DE02120300', amount: 50 }]);
    expect(poisoned.paid).toEqual([]);
  });

  it('stops before a call that a person has to approve, and resumes from there', async () => {
    const { paid, run, scripts, suspended } = opened();
    const text = await run("await pay({ to: 'DE02120300', amount: input.mail.length * 7 }); return 'paid'");
    expect(text).toContain('a person has to approve');
    expect([paid.length, suspended.length]).toEqual([0, 1]);
    const result = await scripts.resume(suspended[0] as Suspension, () => ({ by: 'ann' }));
    expect(result).toMatchObject({ status: 'done', value: 'paid' });
    expect(paid).toEqual([{ to: 'DE02120300', amount: POISON.length * 7 }]);
  });
});
