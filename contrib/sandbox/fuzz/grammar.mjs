// Random programs from everything that a script can name, including combinations that a person would not write.

const words = (text) => text.trim().split(/\s+/);

const NAMES = words(`
  Object Function Error InternalError AggregateError SuppressedError Iterator Array Number Boolean String Math Reflect Symbol
  DisposableStack globalThis BigInt Date RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8Array
  Float64Array BigInt64Array DataView Promise DOMException AsyncDisposableStack input echo fail eval parseInt
  decodeURIComponent queueMicrotask escape btoa atob isNaN undefined`);

const METHODS = words(`
  push pop shift unshift splice slice concat join reverse sort indexOf lastIndexOf includes find findLast filter map flatMap
  flat forEach reduce reduceRight every fill copyWithin entries keys values at with toSorted toSpliced toReversed toString
  valueOf toLocaleString hasOwnProperty isPrototypeOf charCodeAt codePointAt normalize padEnd padStart repeat replace
  replaceAll match matchAll search split substring toUpperCase trim exec test compile toFixed toPrecision get set has add
  delete clear then catch finally call apply bind next return throw resize transfer subarray getInt8 setFloat64 toJSON
  setTime toISOString take drop toArray some isWellFormed localeCompare union`);

const STATICS = words(`
  assign create defineProperty entries freeze fromEntries getOwnPropertyNames getPrototypeOf setPrototypeOf
  preventExtensions ownKeys construct apply get set from of isArray all allSettled any race resolve reject withResolvers
  parse stringify raw fromCharCode for keyFor asIntN groupBy revocable captureStackTrace prepareStackTrace max random now
  UTC`);

const KEYS = words(`
  length constructor __proto__ prototype name message stack then toJSON 0 1 -1 x value get done lastIndex index source
  size buffer byteLength cause caller arguments`);

const SYMBOLS = words(`
  iterator asyncIterator hasInstance toPrimitive toStringTag species isConcatSpreadable match replace split unscopables
  dispose`);

const NUMBERS = words(`
  0 (-0) 1 (-1) 0.5 7 255 65536 1e5 1e9 2**31 2**32 2**53-1 NaN Infinity (-Infinity) 0n (-1n) 2n**64n 10n**40n 0x7fffffff
  1e308 5e-324`);

const TEXTS = words(String.raw`
  '' 'a' '\u0000' '\ud800' '\u2028' '__proto__' 'length' 'x'.repeat(1e4) '\u00e9'.repeat(300) '[1,2' '{"__proto__":{"x":1}}'
  '(a+)+b' '%' '1e1000' 'then' 'echo' '2020-01-01'`);

const PATTERNS = words(String.raw`/a/g /(a+)+$/ /(?<x>.)\k<x>/u /(?<=a)b/ /[^]*/s /\p{L}/u /(?:)/y /a{2,}?|b/i`);

const OPERATORS = words('+ - * / % ** << >>> & | ^ < == === && || ?? in instanceof');

const SIMPLE = words('null undefined true this [] ({}) Symbol()');

const TRAPS = words('get set has ownKeys apply construct getPrototypeOf');

const DESCRIPTORS = words('get set value writable');

/** A program with this many statements, determined by `random`. */
export class Grammar {
  #random;
  #depth = 0;
  #variables = ['first'];

  constructor(random) {
    this.#random = random;
  }

  program() {
    const count = this.#random.from(1, 12);
    const statements = Array.from({ length: count }, () =>
      this.#random.chance(0.9) ? `try { ${this.#statement()} } catch (error) { first = error; }` : this.#statement(),
    );
    return `let first = ${this.#random.pick(TEXTS)};\n${statements.join('\n')}\nreturn ${this.#small()};`;
  }

  /** Something small once it is deep, so that every program has an end. */
  #nested(make, otherwise) {
    if (this.#depth > 4) return otherwise();
    this.#depth++;
    const made = make();
    this.#depth--;
    return made;
  }

  #list(make, most = 3) {
    return Array.from({ length: this.#random.from(0, most) }, make).join(', ');
  }

  #key() {
    const { weighted, pick } = this.#bound();
    return weighted([
      [5, () => `['${pick(KEYS)}']`],
      [2, () => `[Symbol.${pick(SYMBOLS)}]`],
      [1, () => `[${this.#expression()}]`],
      [2, () => `.${pick(METHODS)}`],
    ]);
  }

  #bound() {
    const random = this.#random;
    return { weighted: (table) => random.weighted(table), pick: (list) => random.pick(list) };
  }

  #small() {
    const { weighted, pick } = this.#bound();
    return weighted([
      [3, () => pick(NUMBERS)],
      [3, () => pick(TEXTS)],
      [3, () => pick(NAMES)],
      [4, () => pick(this.#variables)],
      [1, () => pick(PATTERNS)],
      [1, () => pick(SIMPLE)],
    ]);
  }

  #expression() {
    return this.#nested(
      () => this.#large(),
      () => this.#small(),
    );
  }

  #large() {
    const { weighted, pick } = this.#bound();
    const inner = () => this.#expression();
    const several = () => this.#list(inner);
    return weighted([
      [6, () => this.#small()],
      [8, () => `(${inner()}).${pick(METHODS)}(${several()})`],
      [5, () => `${pick(NAMES)}.${pick(STATICS)}?.(${several()})`],
      [4, () => `new ${pick(NAMES)}(${several()})`],
      [3, () => `${pick(NAMES)}.prototype.${pick(METHODS)}?.call(${several()})`],
      [3, () => `(${inner()})${this.#key()}`],
      [3, () => `(${inner()} ${pick(OPERATORS)} ${inner()})`],
      [2, () => `[${several()}]`],
      [2, () => `[...${inner()}]`],
      [3, () => this.#object()],
      [3, () => this.#function()],
      [2, () => `new Proxy(${inner()}, ${this.#object(TRAPS)})`],
      [3, () => `(await ${pick(['echo', 'fail', 'echo'])}(${several()}))`],
      [2, () => `${pick(['echo', 'fail'])}(${several()})`],
      [1, () => `(await (${inner()}))`],
      [1, () => `\`\${${inner()}}\``],
      [1, () => `(typeof (${inner()}))`],
      [1, () => `(${inner()}, ${inner()})`],
      [1, () => `(${inner()} ? ${inner()} : ${inner()})`],
      [1, () => `(class { static ['${pick(KEYS)}'] = ${this.#withoutAwait()}; })`],
    ]);
  }

  #object(keys = KEYS) {
    const { weighted, pick } = this.#bound();
    const member = () =>
      weighted([
        [3, () => `['${pick(keys)}']: ${this.#expression()}`],
        [2, () => `['${pick(keys)}'](one, other) { ${this.#body()} }`],
        [2, () => `get ['${pick(keys)}']() { ${this.#body()} }`],
        [1, () => `set ['${pick(keys)}'](one) { ${this.#body()} }`],
        [1, () => `[Symbol.${pick(SYMBOLS)}]() { ${this.#body()} }`],
        [1, () => `...${this.#expression()}`],
      ]);
    return `({ ${this.#list(member, 4)} })`;
  }

  #body() {
    return this.#nested(
      () => `${this.#statement()} return ${this.#withoutAwait()};`,
      () => `return ${this.#small()};`,
    ).replaceAll('await ', '');
  }

  #withoutAwait() {
    return this.#expression().replaceAll('await ', '');
  }

  #function() {
    const { weighted } = this.#bound();
    return weighted([
      [4, () => `((one, other) => { ${this.#body()} })`],
      [2, () => `(function (one, ...others) { ${this.#body()} })`],
      [2, () => `(function* (one) { yield ${this.#withoutAwait()}; ${this.#body()} })`],
      [2, () => `(async (one) => { ${this.#body()} })`],
      [1, () => `(async function* (one) { yield ${this.#withoutAwait()}; ${this.#body()} })`],
      [1, () => `(function deep(one) { ${this.#body()} deep(one); })`],
    ]);
  }

  #statement() {
    return this.#nested(
      () => this.#anyStatement(),
      () => `${this.#small()};`,
    );
  }

  #anyStatement() {
    const { weighted, pick } = this.#bound();
    const random = this.#random;
    const name = () => `variable${random.from(0, 9)}`;
    return weighted([
      [6, () => `try { ${this.#expression()}; } catch (error) { ${random.chance(0.5) ? 'first = error;' : ''} }`],
      [4, () => `first = ${this.#expression()};`],
      [3, () => `${this.#expression()};`],
      [2, () => this.#declaration(name())],
      [2, () => `try { ${pick(NAMES)}.prototype['${pick(METHODS)}'] = ${this.#expression()}; } catch {}`],
      [2, () => `try { ${pick(NAMES)}['${pick(STATICS)}'] = ${this.#expression()}; } catch {}`],
      [
        1,
        () =>
          `try { Object.defineProperty(${pick(NAMES)}.prototype, '${pick(KEYS)}', ${this.#object(DESCRIPTORS)}); } catch {}`,
      ],
      [1, () => `try { globalThis['${pick(NAMES)}'] = ${this.#expression()}; } catch {}`],
      [2, () => `for (let turn = 0; turn < ${pick(['3', '50', '1000'])}; turn++) { ${this.#statement()} }`],
      [1, () => `for (const each of ${this.#expression()}) { ${this.#statement()} }`],
      [1, () => `for (const key in ${this.#expression()}) { ${this.#statement()} }`],
      [1, () => `if (${this.#expression()}) { ${this.#statement()} } else { ${this.#statement()} }`],
      [1, () => `try { ${this.#statement()} } finally { ${this.#statement()} }`],
      [1, () => `throw ${this.#expression()};`],
      [1, () => `queueMicrotask(() => { ${this.#body()} });`],
      [0.3, () => `{ const list = []; try { for (;;) list.push(${this.#small()}); } catch {} }`],
    ]);
  }

  #declaration(name) {
    const value = this.#expression();
    if (this.#depth > 1 || this.#variables.includes(name)) return `first = ${value};`;
    this.#variables.push(name);
    return `var ${name} = ${value};`;
  }
}
