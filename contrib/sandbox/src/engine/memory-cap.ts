/** A section of a WebAssembly module and the position of its content. */
interface Section {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
}

const PAGE = 65_536;
const MEMORY_SECTION = 5;

/** An unsigned number in the variable-length form of WebAssembly. */
function readNumber(bytes: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let index = at, shift = 1; ; index++, shift *= 128) {
    const byte = bytes[index];
    if (byte === undefined) throw new RangeError('The module ends in the middle of a number.');
    value += (byte & 127) * shift;
    if (byte < 128) return { value, end: index + 1 };
  }
}

function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

function* sectionsOf(bytes: Uint8Array): Generator<Section> {
  for (let at = 8; at < bytes.length; ) {
    const { value: size, end: contentStart } = readNumber(bytes, at + 1);
    yield { id: bytes[at] as number, start: at, contentStart, end: contentStart + size };
    at = contentStart + size;
  }
}

/**
 * The module with a maximum for its memory. The engine counts its allocations itself. This limit holds even if that count is
 * wrong, because the memory cannot grow beyond it.
 */
export function capMemory(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const section = [...sectionsOf(module)].find(({ id }) => id === MEMORY_SECTION);
  if (section === undefined) throw new RangeError('The module has no memory of its own.');
  const { value: count, end: flagsAt } = readNumber(module, section.contentStart);
  if (count !== 1) throw new RangeError('The module must have one memory.');
  const { value: initial } = readNumber(module, flagsAt + 1);
  const pages = Math.floor(maxBytes / PAGE);
  if (pages < initial)
    throw new RangeError(`The module needs ${initial} pages of memory to start; the limit is ${pages}.`);
  const content = [1, 1, ...writeNumber(initial), ...writeNumber(pages)];
  const memory = Uint8Array.from([MEMORY_SECTION, ...writeNumber(content.length), ...content]);
  const capped = new Uint8Array(section.start + memory.length + module.length - section.end);
  capped.set(module.subarray(0, section.start));
  capped.set(memory, section.start);
  capped.set(module.subarray(section.end), section.start + memory.length);
  return capped;
}
