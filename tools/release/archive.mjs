// Reads a tarball of npm strictly: programs that unpack differ in how they handle anything unusual.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
const text = (block, from, length) => block.toString('utf8', from, from + length).replace(/\0.*$/s, '');

function entryAt(bytes, at) {
  const block = bytes.subarray(at, at + BLOCK);
  const prefix = text(block, 257, 6).startsWith('ustar') ? text(block, 345, 155) : '';
  const size = /^[0-7]+ ?$/.exec(text(block, 124, 12));
  if (size === null) throw new Error('an entry has no size');
  const start = at + BLOCK;
  const end = start + Number.parseInt(size[0], 8);
  if (end > bytes.length) throw new Error('the archive ends inside an entry');
  const name = `${prefix}${prefix && '/'}${text(block, 0, 100)}`;
  return {
    name,
    type: text(block, 156, 1) || '0',
    content: bytes.subarray(start, end),
    next: Math.ceil(end / BLOCK) * BLOCK,
  };
}

function* entriesOf(bytes) {
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    // Two empty blocks end an archive, but some programs read what follows them.
    if (bytes.subarray(at, at + BLOCK).every((byte) => byte === 0)) {
      if (bytes.subarray(at).some((byte) => byte !== 0)) throw new Error('the archive has data after its end');
      return;
    }
    const { next, ...entry } = entryAt(bytes, at);
    yield entry;
    at = next;
  }
  throw new Error('the archive has no end');
}

/**
 * The files of a tarball, by name. Throws unless it contains only plain files under package/, each once.
 * @param {string} file
 * @returns {Map<string, Buffer>}
 */
export function filesIn(file) {
  const found = new Map();
  const seen = new Set();
  for (const { name, type, content } of entriesOf(gunzipSync(readFileSync(file)))) {
    if (type !== '0') throw new Error(`${name} must be a plain file; it has type ${type}`);
    const parts = name.split('/');
    if (parts[0] !== 'package' || parts.length < 2 || parts.some((part) => /^\.{0,2}$|\\/.test(part)))
      throw new Error(`${name} is not under package/`);
    // Some file systems ignore case.
    if (seen.has(name.toLowerCase())) throw new Error(`${name} occurs twice`);
    seen.add(name.toLowerCase());
    found.set(name, content);
  }
  return found;
}
