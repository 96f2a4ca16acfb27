// A result that arrives in pieces gives the same bytes as the whole, and needs no more memory than its limit.
import assert from 'node:assert/strict';
import { deriveKey, frameStream, source } from '@sallyport/core';

const key = deriveKey(crypto.getRandomValues(new Uint8Array(32)), 'streams');

async function* lines(): AsyncGenerator<string> {
  for (let line = 0; line < 100_000; line++) yield `line ${line}\n`;
}

// #region stream
const options = { id: 'call_7', source: source('external', { name: 'tail_log' }), key, limits: { maxBytes: 200 } };
let framed = '';
for await (const piece of frameStream(lines(), options)) framed += piece;
// #endregion stream

assert.match(framed, / shown=200 of=1088890>$/);
assert.match(framed, /line 0\nline 1\n/);
console.log(framed);
