import type { FunctionCall } from '@google/genai';
import type { Preset, Snapshot } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import {
  answer,
  call,
  clientOf,
  converse,
  EVIL,
  type Json,
  model,
  POISON,
  Provider,
  says,
  shown,
  toolOf,
  user,
} from './stage.ts';

/** The number of mails to a recipient that were sent after a model had read a history. */
async function sentAfter(
  contents: readonly Json[],
  to: string,
  config: Json = {},
  preset: Preset = 'balanced',
  snapshot?: Snapshot,
): Promise<number> {
  const ran: FunctionCall[] = [];
  const conversation = snapshot === undefined ? converse(preset) : converse(preset).restore(snapshot);
  const provider = new Provider(says(call('send_mail', { to, body: 'Hello.' })));
  const extra = (config.tools ?? []) as never[];
  const { ai, tools } = await clientOf(conversation, provider, [toolOf(ran, ['send_mail']), ...extra]);
  await ai.models.generateContent({ model: 'm', contents: contents as never, config: { ...config, tools } });
  return ran.length;
}

const ASKED = user({ text: 'What is new? Write to bob@work.example.' });
const poisoned = Buffer.from(POISON).toString('base64');
const attached = (mimeType: string) =>
  user({ text: 'Sum up for bob@work.example.' }, { inlineData: { mimeType, data: poisoned } });

describe('words do not vouch if they came', () => {
  test.each<[string, Json[]]>([
    ['with a file that the user attached', [attached('text/plain')]],
    ['with a file of a type that hides its text', [attached('application/x-python')]],
    ['with a file of a type that says nothing', [attached('application/octet-stream')]],
    ['from code that the provider ran', [ASKED, model({ codeExecutionResult: { output: POISON } }), ASKED]],
    ['from a tool that the provider ran', [ASKED, model({ toolResponse: { response: { text: POISON } } }), ASKED]],
    ['in a part of an unknown type', [ASKED, model({ audioTranscription: { text: POISON } }), ASKED]],
    ['next to a response', [ASKED, model(call('read_file')), user(answer('read_file', {}), { text: POISON })]],
    ['with the results of a tool', [ASKED, model(call('read_mail')), user(answer('read_mail', { output: POISON }))]],
  ])('%s', async (_, contents) => {
    expect(await sentAfter(contents, EVIL)).toBe(0);
    expect(await sentAfter(contents, 'bob@work.example')).toBe(1);
  });
  test('words of the user vouch', async () => {
    expect(await sentAfter([user({ text: `Write to ${EVIL}.` })], EVIL)).toBe(1);
  });
});

test('words that a summary contains do not vouch in a new process that restores the snapshot', async () => {
  const first = converse();
  await shown([ASKED, model(call('read_mail')), user(answer('read_mail', { output: POISON }))], {}, first);
  const summary = [user({ text: 'Sum up.' }), model({ text: `The mail asks to write to ${EVIL}.` }), ASKED];
  expect(await sentAfter(summary, EVIL, {}, 'balanced', first.snapshot())).toBe(0);
  expect(await sentAfter(summary, 'bob@work.example', {}, 'balanced', first.snapshot())).toBe(1);
});

describe('content that the provider reads or stores counts as read, although no request contains it', () => {
  const strictly = (config: Json): Promise<number> =>
    sentAfter([user({ text: 'What is new?' })], EVIL, config, 'strict');
  test('with none of it, only trusted sources were read', async () => expect(await strictly({})).toBe(1));
  test('a search', async () => expect(await strictly({ tools: [{ googleSearch: {} }] })).toBe(0));
  test('a cache', async () => expect(await strictly({ cachedContent: 'cachedContents/1' })).toBe(0));
});
