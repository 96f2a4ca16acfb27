// A conversation that outlives its process: stored raw, validated when it is restored, rendered to the same bytes.
import assert from 'node:assert/strict';
import { createBoundary } from 'sallyport';

process.env.SALLYPORT_KEY ??= Buffer.alloc(32, 7).toString('base64');

// #region restart
const key = Buffer.from(process.env.SALLYPORT_KEY ?? '', 'base64'); // openssl rand -base64 32
const conversation = createBoundary({ key }).conversation('support-4711');
conversation.addUserMessage('Remember me.');
const stored = JSON.stringify(conversation.snapshot());

const restored = createBoundary({ key }).conversation('support-4711').restore(JSON.parse(stored));
// #endregion restart

assert.equal((await restored.request()).text, (await conversation.request()).text);
const damaged = JSON.parse(stored);
delete damaged.records[0].source;
const suspect = createBoundary({ key }).conversation('support-4711').restore(damaged);
assert.equal(suspect.records[0]?.label.integrity, 'unknown');
console.log(stored);
