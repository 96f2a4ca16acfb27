// Parses Python literals as `repr` prints them, and JSON, since the two differ only in three names. One pass, no backtracking,
// and a limit on the depth, so that any text is parsed or refused in linear time.

const MAX_DEPTH = 200;

const NAMES = new Map([
  ['None', null],
  ['True', true],
  ['False', false],
  ['null', null],
  ['true', true],
  ['false', false],
]);

const ESCAPES = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/**
 * @typedef {object} State
 * @property {string} text
 * @property {number} at
 * @property {number} depth
 * @property {(start: number, end: number) => void} onString called for every string that is a value, with where its quotation marks are
 */

/**
 * @param {State} state
 * @returns {never}
 */
function refuse({ at }) {
  throw new SyntaxError(`not a literal at ${at}`);
}

/**
 * @param {State} state
 * @param {RegExp} pattern sticky
 */
function take(state, pattern) {
  pattern.lastIndex = state.at;
  const found = pattern.exec(state.text);
  if (found) state.at = pattern.lastIndex;
  return found;
}

/** @param {State} state */
function skipBlanks(state) {
  take(state, /\s*/y);
}

/** @param {State} state */
function readEscape(state) {
  const coded = take(state, /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3}))/y);
  if (coded) {
    const [, byte, unit, point, octal] = coded;
    const code = octal === undefined ? Number.parseInt(byte ?? unit ?? point, 16) : Number.parseInt(octal, 8);
    return code > 0x10ffff ? refuse(state) : String.fromCodePoint(code);
  }
  const sign = state.text[state.at + 1];
  // A character given by its Unicode name; `repr` prints none, and the names are not at hand.
  if (sign === undefined || 'NxuU'.includes(sign)) refuse(state);
  state.at += 2;
  return ESCAPES.get(sign) ?? `\\${sign}`;
}

/** @param {State} state */
function readString(state) {
  const quote = state.text[state.at++];
  const plain = quote === "'" ? /[^'\\\n]*/y : /[^"\\\n]*/y;
  let value = '';
  for (;;) {
    value += take(state, plain)[0];
    const sign = state.text[state.at];
    if (sign === quote) break;
    value += sign === '\\' ? readEscape(state) : refuse(state);
  }
  state.at++;
  return value;
}

/** A number, or its text where a double would round it. */
function readNumber(state) {
  const [text] = take(state, /[-+]?(?:\d[\d_]*)?(?:\.\d*)?(?:[eE][-+]?\d+)?/y) ?? refuse(state);
  const value = Number(text.replaceAll('_', ''));
  if (!/\d/.test(text) || Number.isNaN(value)) refuse(state);
  return /^[-+]?[\d_]+$/.test(text) && !Number.isSafeInteger(value) ? text : value;
}

/** A constant, or the text of a call such as `datetime.date(2024, 5, 1)`. */
function readName(state) {
  const start = state.at;
  const [name] = take(state, /[A-Za-z_][\w.]*/y) ?? refuse(state);
  if (state.text[state.at] !== '(') return NAMES.has(name) ? NAMES.get(name) : refuse(state);
  let open = 0;
  do {
    take(state, /[^()'"]*/y);
    const sign = state.text[state.at];
    if (sign === undefined) refuse(state);
    if (sign === "'" || sign === '"') readString(state);
    else {
      open += sign === '(' ? 1 : -1;
      state.at++;
    }
  } while (open > 0);
  return state.text.slice(start, state.at);
}

/**
 * The items between two brackets, separated by commas; Python allows a comma after the last.
 * @param {State} state
 * @param {string} close
 * @param {() => unknown} readItem
 */
function readItems(state, close, readItem) {
  if (++state.depth > MAX_DEPTH) refuse(state);
  const items = [];
  state.at++;
  skipBlanks(state);
  while (state.text[state.at] !== close) {
    items.push(readItem());
    skipBlanks(state);
    if (state.text[state.at] === ',') state.at++;
    else if (state.text[state.at] !== close) refuse(state);
    skipBlanks(state);
  }
  state.at++;
  state.depth--;
  return items;
}

/** A list or a tuple; a tuple of one item needs a comma. */
function readList(state) {
  const isTuple = state.text[state.at] === '(';
  const items = readItems(state, isTuple ? ')' : ']', () => readValue(state));
  return isTuple && items.length === 1 && state.text[state.at - 2] !== ',' ? refuse(state) : items;
}

/** A key that is not a string is represented by its source text. */
function readKey(state) {
  const start = state.at;
  if (/['"]/.test(state.text[start])) return readString(state);
  readValue(state);
  return state.text.slice(start, state.at);
}

/** @param {State} state */
function readObject(state) {
  const pairs = readItems(state, '}', () => {
    const key = readKey(state);
    skipBlanks(state);
    if (state.text[state.at] !== ':') refuse(state);
    state.at++;
    skipBlanks(state);
    return [key, readValue(state)];
  });
  // Defines each key, so that one named `__proto__` is a key like any other.
  return Object.fromEntries(pairs);
}

/**
 * @param {State} state
 * @returns {unknown}
 */
function readValue(state) {
  const start = state.at;
  const sign = state.text[start] ?? refuse(state);
  if (sign === '{') return readObject(state);
  if (sign === '[' || sign === '(') return readList(state);
  if (sign === "'" || sign === '"') {
    const value = readString(state);
    state.onString(start, state.at);
    return value;
  }
  return /[A-Za-z_]/.test(sign) ? readName(state) : readNumber(state);
}

/**
 * The object or array that a whole text prints.
 * @param {string} text
 * @param {(start: number, end: number) => void} [onString]
 * @returns {{ json: unknown } | undefined}
 */
export function readLiteral(text, onString = () => {}) {
  const state = { text, at: 0, depth: 0, onString };
  try {
    skipBlanks(state);
    if (!/[[({]/.test(text[state.at] ?? '')) return undefined;
    const json = readValue(state);
    skipBlanks(state);
    return state.at === text.length ? { json } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
