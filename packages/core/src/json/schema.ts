import { canonicalJson } from '../base/canonical-json.ts';
import { describeValue, SallyportError } from '../base/errors.ts';
import { parseJson } from '../base/parse-json.ts';
import { type Fields, isFields, listOf } from './fields.ts';
import { fitsShape, type Shape } from './shape.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON Schema, draft-07 to 2020-12. It counts as the developer's, so never take it from the sender of the values. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

type SchemaObject = Fields;

const FORMATS: ReadonlyMap<unknown, Shape> = new Map([
  ['date-time', 'timestamp'],
  ['date', 'date'],
  ['time', 'time'],
  ['uuid', 'uuid'],
]);

function copyOf(schema: JsonSchema): JsonSchema {
  if (typeof schema !== 'boolean' && !isFields(schema))
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`schema\` must be a JSON Schema: an object, true or false; received ${describeValue(schema)}.`,
    );
  return parseJson(canonicalJson(schema)) as JsonSchema;
}

const LOCAL = /^#(?:\/(\$defs|definitions)\/([^/%~]+))?$/;

/**
 * A JSON Schema and the references within it.
 *
 * @example
 * ```ts
 * const document = new SchemaDocument(schema);
 * const applied = document.reach([document.root]);
 * ```
 */
export class SchemaDocument {
  /** A copy of the schema. */
  readonly root: JsonSchema;

  constructor(schema: JsonSchema) {
    this.root = copyOf(schema);
  }

  /** A subschema with its own `$id` is another document: `#` refers to its own root. */
  isForeign(schema: SchemaObject): boolean {
    return schema !== this.root && typeof schema.$id === 'string';
  }

  /** The target of a reference within the document. Undefined for other references, which declare nothing. */
  targetOf(reference: unknown): unknown {
    const match = typeof reference === 'string' ? LOCAL.exec(reference) : null;
    if (match === null) return undefined;
    const [, table, name] = match;
    if (table === undefined || name === undefined) return this.root;
    const definitions = isFields(this.root) ? this.root[table] : undefined;
    return isFields(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  }

  /** The given schemas and all that apply to the same value through references and combinations. */
  reach(schemas: readonly unknown[]): ReadonlySet<SchemaObject> {
    const found = new Set<SchemaObject>();
    const pending = [...schemas];
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      if (!isFields(schema) || found.has(schema) || this.isForeign(schema)) continue;
      found.add(schema);
      for (const list of [schema.allOf, schema.anyOf, schema.oneOf])
        for (const each of listOf(list)) if (each !== undefined) pending.push(each);
      const target = this.targetOf(schema.$ref);
      if (target !== undefined) pending.push(target);
    }
    return found;
  }
}

function propertyOf(schema: SchemaObject, name: string): unknown {
  const { properties } = schema;
  if (isFields(properties) && Object.hasOwn(properties, name)) return properties[name];
  return schema.patternProperties === undefined ? schema.additionalProperties : undefined;
}

/** In draft-07 an array of `items` is what `prefixItems` is in later drafts. */
function itemOf(schema: SchemaObject, index: number): unknown {
  const isTuple = Array.isArray(schema.items);
  const leading = listOf(isTuple ? schema.items : schema.prefixItems);
  if (index < leading.length) return leading[index];
  return isTuple ? schema.additionalItems : schema.items;
}

function leadingCount(schema: SchemaObject): number {
  return listOf(Array.isArray(schema.items) ? schema.items : schema.prefixItems).length;
}

// Not canonicalJson: the work is limited by the schema's member, however large the untrusted value is.
function isSame(member: unknown, value: unknown, levels: number): boolean {
  if (typeof member !== 'object' || typeof value !== 'object' || member === null || value === null)
    return member === value;
  const names = Object.keys(member);
  return (
    levels > 0 &&
    Array.isArray(member) === Array.isArray(value) &&
    names.length === Object.keys(value).length &&
    names.every(
      (name) =>
        Object.hasOwn(value, name) && isSame((member as SchemaObject)[name], (value as SchemaObject)[name], levels - 1),
    )
  );
}

/**
 * What the schema declares about one position in a value: names, values and shapes.
 *
 * @example
 * ```ts
 * const declared = Declared.by(schema);
 * declared.property('status').hasText('open');
 * ```
 */
export class Declared {
  readonly #document: SchemaDocument;
  readonly #schemas: readonly SchemaObject[];
  readonly #properties = new Set<string>();
  readonly #required = new Set<string>();
  readonly #strings = new Set<unknown>();
  // The numbers that the schema lists, and its default.
  readonly #values = new Set<unknown>();
  readonly #containers: unknown[] = [];
  readonly #shapes = new Set<Shape>();
  // By name, by index, and one for all other keys, so that the items of an array share one lookup.
  readonly #children = new Map<string | number | undefined, Declared>();
  readonly #leading: number;

  private constructor(document: SchemaDocument, schemas: readonly unknown[]) {
    this.#document = document;
    this.#schemas = [...document.reach(schemas)];
    for (const schema of this.#schemas) this.#read(schema);
    this.#leading = this.#schemas.reduce((most, schema) => Math.max(most, leadingCount(schema)), 0);
  }

  static by(schema: JsonSchema = {}): Declared {
    const document = new SchemaDocument(schema);
    return new Declared(document, [document.root]);
  }

  /** The names of the properties that the schema declares. */
  get names(): readonly string[] {
    return [...this.#properties];
  }

  #read(schema: SchemaObject): void {
    if (isFields(schema.properties)) for (const name of Object.keys(schema.properties)) this.#properties.add(name);
    for (const name of listOf(schema.required)) if (typeof name === 'string') this.#required.add(name);
    for (const member of listOf(schema.enum)) this.#member(member);
    if (Object.hasOwn(schema, 'const')) this.#member(schema.const);
    if (Object.hasOwn(schema, 'default')) this.#values.add(schema.default);
    const shape = FORMATS.get(schema.format);
    if (shape !== undefined) this.#shapes.add(shape);
  }

  #member(member: unknown): void {
    if (typeof member === 'string') this.#strings.add(member);
    else if (typeof member === 'number') this.#values.add(member);
    else if (typeof member === 'object' && member !== null) this.#containers.push(member);
  }

  #child(key: string | number | undefined, pick: (schema: SchemaObject) => unknown): Declared {
    const cached = this.#children.get(key);
    if (cached !== undefined) return cached;
    const child = new Declared(
      this.#document,
      this.#schemas.map(pick).filter((each) => each !== undefined),
    );
    this.#children.set(key, child);
    return child;
  }

  property(name: string): Declared {
    if (this.#schemas.length === 0) return this;
    return this.#child(this.#properties.has(name) ? name : undefined, (schema) => propertyOf(schema, name));
  }

  item(index: number): Declared {
    if (this.#schemas.length === 0) return this;
    return this.#child(Math.min(index, this.#leading), (schema) => itemOf(schema, index));
  }

  /** Whether the schema lists this value, in an enumeration or as the default. */
  hasValue(value: string | number): boolean {
    return this.#strings.has(value) || this.#values.has(value);
  }

  hasName(name: string): boolean {
    return this.#properties.has(name) || this.#required.has(name);
  }

  hasText(text: string): boolean {
    return this.#strings.has(text) || [...this.#shapes].some((shape) => fitsShape(text, shape));
  }

  /** Whether an object or array is, as a whole, one that the schema lists. */
  hasContainer(value: Json, levels: number): boolean {
    return this.#containers.some((member) => isSame(member, value, levels));
  }
}
