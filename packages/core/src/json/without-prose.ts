import { canonicalJson } from '../base/canonical-json.ts';
import { isPlain } from '../text/plain-strings.ts';
import { type Fields, isFields } from './fields.ts';

/** Keywords that tell a reader something and constrain nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['description', 'title', '$comment', 'example', 'examples', 'default', 'input_examples'],
]);
/** Keywords whose members are named by the author of the schema. */
const TABLES: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
]);

/** The words of the schema language under a keyword. They say nothing to a reader that the keyword does not say. */
const WORDS: Readonly<Record<string, RegExp>> = {
  type: /^(?:string|number|integer|boolean|object|array|null|function|custom|ephemeral)$/i,
  format:
    /^(?:date-time|date|time|duration|email|hostname|ipv[46]|uri(?:-reference|-template)?|uuid|regex|int(?:32|64)|float|double)$/,
  $ref: /^#(?:\/(?:\$defs|definitions|properties|items)(?:\/[\w.-]+)?)*$/,
  $schema: /^https?:\/\/json-schema\.org\/draft[-/\w]*#?$/,
};

// Deeper than any schema that a person writes. What is below it is left out.
const MAX_NESTING = 64;

/**
 * The definition of a tool, or a schema, without its prose.
 *
 * @example
 * ```ts
 * const { plain, prose }: PlainSchema = withoutProse(tool.inputSchema);
 * ```
 */
export interface PlainSchema {
  /** The schema without prose. Where prose took part in a constraint, it allows more. */
  readonly plain: Fields;
  /** What was left out: one line for each text. */
  readonly prose: string;
  /** What is still in `plain` and could be the value of a call, names of arguments and numbers included: one line for each. */
  readonly values: string;
  /** Only annotations were left out, so `plain` accepts the same values. */
  readonly isWhole: boolean;
  /** The name of an argument that is prose. A name cannot be left out. */
  readonly proseName: string | undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  return isList ? value.map(String).join(', ') : canonicalJson(value);
}

function addTo(lines: Set<string>, path: readonly string[], keyword: string, value: unknown): void {
  const names = [path.join('.'), keyword === 'description' ? '' : keyword].filter((name) => name !== '');
  const text = textOf(value);
  if (text !== '') lines.add(names.length === 0 ? text : `${names.join(' ')}: ${text}`);
}

class Reader {
  readonly prose = new Set<string>();
  readonly values = new Set<string>();
  isWhole = true;
  proseName: string | undefined;

  read(schema: Fields, path: readonly string[], depth = 0): Fields {
    const kept = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      const read = value === undefined ? undefined : this.#member(keyword, value, path, depth + 1);
      return read === undefined ? [] : [[keyword, read]];
    });
    return Object.fromEntries(kept);
  }

  #member(keyword: string, value: unknown, path: readonly string[], depth: number): unknown {
    if (depth > MAX_NESTING) {
      this.isWhole = false;
      return undefined;
    }
    if (ANNOTATIONS.has(keyword)) {
      addTo(this.prose, path, keyword, value);
      return undefined;
    }
    if (!isPlain(keyword)) return this.#leaveOut(path, keyword, value);
    if (TABLES.has(keyword) && isFields(value)) return this.#table(keyword, value, path, depth);
    return this.#value(keyword, value, path, depth);
  }

  #table(keyword: string, table: Fields, path: readonly string[], depth: number): Fields {
    const kept = Object.entries(table).flatMap(([name, schema]): [string, unknown][] => {
      if (keyword === 'properties' && !isPlain(name)) this.proseName ??= name;
      if (!isPlain(name)) {
        this.#leaveOut(path, name, schema);
        return [];
      }
      if (!isFields(schema) && typeof schema !== 'boolean') {
        this.#leaveOut(path, name, schema);
        return [];
      }
      this.values.add([...path, name].join('.'));
      return [[name, isFields(schema) ? this.read(schema, [...path, name], depth) : schema]];
    });
    return Object.fromEntries(kept);
  }

  #value(keyword: string, value: unknown, path: readonly string[], depth: number): unknown {
    if (isFields(value)) return this.read(value, path, depth);
    if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
      return value.flatMap((item) => this.#value(keyword, item, path, depth) ?? []);
    const items = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
    if (!items.every(isPlain)) return this.#leaveOut(path, keyword, value);
    const word = WORDS[keyword];
    const isWord = word !== undefined && items.length > 0 && items.every((item) => word.test(item));
    if (!isWord && typeof value !== 'boolean') addTo(this.values, path, keyword, value);
    return value;
  }

  #leaveOut(path: readonly string[], keyword: string, value: unknown): undefined {
    this.isWhole = false;
    addTo(this.prose, path, keyword, value);
  }
}

/**
 * Takes the prose out of a schema, or of a tool's definition that contains one: annotations, and every other string that says
 * something.
 *
 * @example
 * ```ts
 * const { plain, prose, values, proseName } = withoutProse({ description: tool.description, parameters: tool.inputSchema });
 * ```
 */
export function withoutProse(schema: Fields): PlainSchema {
  const reader = new Reader();
  const plain = reader.read(schema, []);
  const { isWhole, proseName } = reader;
  const [prose, values] = [reader.prose, reader.values].map((lines) => [...lines].join('\n')) as [string, string];
  return { plain, prose, values, isWhole, proseName };
}
