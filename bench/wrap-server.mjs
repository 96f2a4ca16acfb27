// A server that costs almost nothing, so that the proxy in front of it is measured. Its texts resemble English, and are new
// each time unless `repeat` is set.
import { createInterface } from 'node:readline';

const WORDS =
  `the a of to and in for with on at by from this that every last next new old small large early late warm cold
quiet busy report letter meeting office garden river street market window morning evening summer winter project budget
team member guest friend teacher driver doctor train ticket hotel table dinner coffee bread paper number list plan order
price offer answer question reason change result week month year day hour minute city village country house room door
is was has had will would can could may might takes brought found kept left made opened closed moved wrote read saw heard
slowly quickly often never always perhaps again together already still almost once twice here there then now`.split(
    /\s+/,
  );
/** Long enough that two results rarely share a passage. */
const POOL = 4_000_000;

let seed = 0x5eed;
/** A pseudo-random number below the limit, the same sequence in every run (xorshift). */
function random(limit) {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % limit;
}

function sentence() {
  const words = Array.from({ length: 8 + random(10) }, () => WORDS[random(WORDS.length)]);
  const text = words.join(' ');
  return `${text[0].toUpperCase()}${text.slice(1)}. `;
}

function poolOf(length) {
  const sentences = [];
  for (let size = 0; size < length; size += sentences.at(-1).length) sentences.push(sentence());
  return sentences.join('');
}

const pool = poolOf(POOL);
let serial = 0;

/** A text of the given length: a numbered title, and a slice of the pool, which costs almost nothing. */
function newText(bytes) {
  const title = `Note ${serial++}. `;
  const start = random(POOL - bytes);
  return title + pool.slice(start, start + bytes - title.length);
}

const same = new Map();

function textOf({ bytes, repeat }) {
  if (!repeat) return newText(bytes);
  if (!same.has(bytes)) same.set(bytes, newText(bytes));
  return same.get(bytes);
}

const TOOL = {
  name: 'words',
  description: 'Returns words of the given length in bytes.',
  inputSchema: { type: 'object', properties: { bytes: { type: 'integer' }, repeat: { type: 'boolean' } } },
};

function resultOf(method, params) {
  if (method === 'tools/call') return { content: [{ type: 'text', text: textOf(params.arguments) }] };
  if (method === 'tools/list') return { tools: [TOOL] };
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'words', version: '1' },
  };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })}\n`);
});
