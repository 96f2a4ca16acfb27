import { SallyportError } from './errors.ts';

function plain(value: unknown, key: string | number): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? plainScalar(toJSON.call(value, String(key))) : value;
}

// Calls toJSON once per value, as JSON.stringify does: an object whose toJSON returns itself must not cause an endless
// loop.
function plainScalar(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function isSkipped(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** An object or array that is being written. Its members up to `next` have been written. */
interface Open {
  readonly value: object;
  /** The sorted names of an object; undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
  isEmpty: boolean;
}

function scalar(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  return JSON.stringify(value);
}

class Writer {
  text = '';
  /** The number of members of all objects and arrays together. */
  memberCount = 0;
  readonly #open: Open[] = [];
  readonly #ancestors = new Set<object>();

  /** No recursion: JSON.parse accepts values that are too deep for JSON.stringify. */
  writeAll(root: unknown): void {
    this.#write(root);
    for (let last = this.#open.at(-1); last !== undefined; last = this.#open.at(-1)) this.#continue(last);
  }

  #write(value: unknown): void {
    if (typeof value !== 'object' || value === null) this.text += scalar(value);
    else this.#enter(value);
  }

  #enter(value: object): void {
    if (this.#ancestors.has(value))
      throw new SallyportError(
        'ERR_CYCLE',
        'A value that contains itself cannot be written as JSON. Pass a value without cycles.',
      );
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const length = names?.length ?? (value as readonly unknown[]).length;
    if (length === 0) {
      this.text += names === undefined ? '[]' : '{}';
      return;
    }
    if (length > 1) names?.sort();
    this.#ancestors.add(value);
    this.#open.push({ value, names, length, next: 0, isEmpty: true });
    this.text += names === undefined ? '[' : '{';
  }

  /** Writes members up to the first that has members itself, or up to the end. */
  #continue(open: Open): void {
    const depth = this.#open.length;
    while (open.next < open.length && this.#open.length === depth) {
      if (open.names === undefined) this.#item(open);
      else this.#member(open, open.names[open.next++] as string);
    }
    if (this.#open.length > depth) return;
    this.text += open.names === undefined ? ']' : '}';
    this.#ancestors.delete(open.value);
    this.#open.pop();
  }

  #item(open: Open): void {
    const index = open.next++;
    const value = plain((open.value as readonly unknown[])[index], index);
    if (index > 0) this.text += ',';
    this.memberCount++;
    this.#write(isSkipped(value) ? null : value);
  }

  #member(open: Open, name: string): void {
    const value = plain((open.value as Readonly<Record<string, unknown>>)[name], name);
    if (isSkipped(value)) return;
    this.text += open.isEmpty ? `${JSON.stringify(name)}:` : `,${JSON.stringify(name)}:`;
    open.isEmpty = false;
    this.memberCount++;
    this.#write(value);
  }
}

/** A value as canonical JSON, and the number of members of its objects and arrays together. */
export function writeCanonical(root: unknown): { readonly text: string; readonly memberCount: number } {
  const first = plain(root, '');
  const writer = new Writer();
  writer.writeAll(isSkipped(first) ? null : first);
  return writer;
}

/**
 * Writes a value as JSON text with sorted keys: RFC 8785, except that lone surrogates are written as \u escapes instead
 * of refused. The bytes of a record must not depend on key order, which PostgreSQL's jsonb and the OpenAI Agents
 * RunState both change. Any depth works: JSON.parse accepts values that are too deep for JSON.stringify.
 *
 * @example
 * ```ts
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 * ```
 */
export function canonicalJson(root: unknown): string {
  return writeCanonical(root).text;
}
