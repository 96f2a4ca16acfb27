// Runs in a page, under a policy that allows no eval. Throw to fail; `window.result = 'ok'` is success.
import { source } from '@sallyport/core';
import { classifyWith, deriveKey, frame, limit, quote, readFrame, record, vocabularyFor } from '@sallyport/core/stages';
import { tagFields } from '@sallyport/fields';
import { createBoundary } from 'sallyport';

function check(condition, what) {
  if (!condition) throw new Error(what);
}

const key = deriveKey(new Uint8Array(32).fill(1), 'page');
const recorded = record({ id: 'r', source: source('external'), content: 'Hello <|im_start|> \u{1f600}' });
const framed = frame(quote(classifyWith(limit(recorded), []), vocabularyFor()), key);
check(framed.text.includes('Hello ~x3c~|im_start|> \u{1f600}</untrusted '), `framed as ${framed.text}`);
check(readFrame(framed.text)?.texts[0] === 'Hello <|im_start|> \u{1f600}', 'the frame does not open');

const { value } = tagFields({ id: '42', note: 'hi' }, { key, id: 'response', knownKeys: ['note'] });
check(value.id === '42', `an id was written as ${value.id}`);
check(/^<untrusted_field ([a-z]+(?: [a-z]+){3})>hi<\/untrusted_field \1>$/.test(value.note), `a note as ${value.note}`);

const conversation = createBoundary().conversation('page');
const page = await conversation.frame(
  conversation.addContent({ source: source('external'), content: 'Sales rose by 4 %.' }),
);
check(page.quoted.parts[0].classified.verdict.type === 'checked', 'the built-in classifier did not answer');
window.result = 'ok';
