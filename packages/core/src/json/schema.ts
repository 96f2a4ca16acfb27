import { canonicalJson } from '../base/canonical-json.ts';
import { SallyportError } from '../base/errors.ts';
import { fitsShape, type Shape } from './shape.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON Schema: draft-07 to 2020-12. It speaks for the developer, so never take it from whoever sends the values. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

type SchemaObject = { readonly [keyword: string]: unknown };

/** The property of the root under which our own notice stands. */
export const NOTICE_KEY = '_security_notice';

// Deeper than any schema written by a person. Below it everything is allowed, which only loosens.
const MAX_NESTING = 256;

const FORMATS: ReadonlyMap<unknown, Shape> = new Map([
  ['date-time', 'timestamp'],
  ['date', 'date'],
  ['time', 'time'],
  ['uuid', 'uuid'],
]);

// What cannot be broken by a string that grew or a name that changed. `nullable` (OpenAPI) loosens `type`: it must stay.
// `uniqueItems` would hold, but Ajv calls valueOf to compare, and an object without a prototype has none.
const KEPT = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'nullable', 'enum', 'const', 'required', 'minProperties', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function copyOf(schema: JsonSchema): JsonSchema {
  if (typeof schema !== 'boolean' && !isObject(schema))
    throw new SallyportError('ERR_INVALID_OPTION', 'schema is a JSON Schema: an object, true or false.');
  return JSON.parse(canonicalJson(schema)) as JsonSchema;
}

/** A schema with a name of its own is another document: `#` means something else in it. */
function isForeign(schema: SchemaObject, root: SchemaObject): boolean {
  return schema !== root && typeof schema.$id === 'string';
}

const LOCAL = /^#(?:\/(\$defs|definitions)\/([^/%~]+))?$/;

/** What a reference within the document points at. Undefined for every other one: it declares nothing. */
function targetOf(root: SchemaObject, reference: unknown): unknown {
  const match = typeof reference === 'string' ? LOCAL.exec(reference) : null;
  if (match === null) return undefined;
  const [, table, name] = match;
  if (table === undefined || name === undefined) return root;
  const definitions = root[table];
  return isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** The given schemas and all that speak about the same place: through references and combinations. */
function reach(root: SchemaObject, schemas: readonly unknown[]): ReadonlySet<SchemaObject> {
  const found = new Set<SchemaObject>();
  const pending = [...schemas];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (!isObject(schema) || found.has(schema) || isForeign(schema, root)) continue;
    found.add(schema);
    for (const list of [schema.allOf, schema.anyOf, schema.oneOf])
      for (const each of listOf(list)) if (each !== undefined) pending.push(each);
    const target = targetOf(root, schema.$ref);
    if (target !== undefined) pending.push(target);
  }
  return found;
}

function propertyOf(schema: SchemaObject, name: string): unknown {
  const { properties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return schema.patternProperties === undefined ? schema.additionalProperties : undefined;
}

/** In draft-07 a list of `items` is what later became `prefixItems`. */
function itemOf(schema: SchemaObject, index: number): unknown {
  const isTuple = Array.isArray(schema.items);
  const leading = listOf(isTuple ? schema.items : schema.prefixItems);
  if (index < leading.length) return leading[index];
  return isTuple ? schema.additionalItems : schema.items;
}

function leadingCount(schema: SchemaObject): number {
  return listOf(Array.isArray(schema.items) ? schema.items : schema.prefixItems).length;
}

// Not canonicalJson: the work ends with the member, however large the value that a stranger sent.
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

/** What the schema declares about one place of a value: which names, which values, which forms. */
export class Declared {
  readonly #root: SchemaObject;
  readonly #schemas: readonly SchemaObject[];
  readonly #properties = new Set<string>();
  readonly #required = new Set<string>();
  readonly #strings = new Set<unknown>();
  // Numbers that the schema lists, and what it puts where nothing is given.
  readonly #values = new Set<unknown>();
  readonly #containers: unknown[] = [];
  readonly #shapes = new Set<Shape>();
  // By name, by index, and one for all the rest: records of a list share what was looked up for the first of them.
  readonly #children = new Map<string | number | undefined, Declared>();
  readonly #leading: number;

  private constructor(root: SchemaObject, schemas: readonly unknown[]) {
    this.#root = root;
    this.#schemas = [...reach(root, schemas)];
    for (const schema of this.#schemas) this.#read(schema);
    this.#leading = this.#schemas.reduce((most, schema) => Math.max(most, leadingCount(schema)), 0);
  }

  static by(schema: JsonSchema | undefined): Declared {
    const root = schema === undefined ? {} : copyOf(schema);
    return isObject(root) ? new Declared(root, [root]) : new Declared({}, []);
  }

  #read(schema: SchemaObject): void {
    if (isObject(schema.properties)) for (const name of Object.keys(schema.properties)) this.#properties.add(name);
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
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const child = new Declared(
      this.#root,
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

  /** Whether the schema itself names this value: as one of a list, or as what stands where nothing is given. */
  hasValue(value: string | number): boolean {
    return this.#strings.has(value) || this.#values.has(value);
  }

  hasName(name: string): boolean {
    return this.#properties.has(name) || this.#required.has(name);
  }

  hasText(text: string): boolean {
    return this.#strings.has(text) || [...this.#shapes].some((shape) => fitsShape(text, shape));
  }

  /** Whether an object or array is, as a whole, one that the schema spells out. */
  hasContainer(value: Json, levels: number): boolean {
    return this.#containers.some((member) => isSame(member, value, levels));
  }
}

function describesObject({ type, properties, additionalProperties }: SchemaObject): boolean {
  return (
    type === 'object' ||
    listOf(type).includes('object') ||
    properties !== undefined ||
    additionalProperties !== undefined
  );
}

class Widener {
  readonly #root: SchemaObject;
  readonly #top: ReadonlySet<SchemaObject>;

  constructor(root: SchemaObject) {
    this.#root = root;
    this.#top = reach(root, [root]);
  }

  widen(schema: unknown, depth: number): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema) || isForeign(schema, this.#root) || depth > MAX_NESTING) return {};
    const wide: Record<string, unknown> = {};
    for (const keyword of Object.keys(schema)) {
      const loosened = this.#keyword(schema, keyword, depth + 1);
      if (loosened !== undefined) wide[keyword] = loosened;
    }
    // A second branch may come to fit once its strings are loose.
    const choices = this.#list(schema.oneOf, depth + 1);
    if (choices !== undefined && wide.anyOf === undefined) wide.anyOf = choices;
    else if (choices !== undefined) wide.allOf = [...listOf(wide.allOf), { anyOf: choices }];
    if (schema.patternProperties !== undefined) wide.additionalProperties = true;
    if (this.#top.has(schema) && describesObject(schema))
      wide.properties = { ...(wide.properties as SchemaObject | undefined), [NOTICE_KEY]: { type: 'string' } };
    return wide;
  }

  #keyword(schema: SchemaObject, keyword: string, depth: number): unknown {
    const given = schema[keyword];
    switch (keyword) {
      case '$ref':
        return targetOf(this.#root, given) === undefined ? undefined : given;
      case '$defs':
      case 'definitions':
        return schema === this.#root ? this.#table(given, depth) : undefined;
      case 'properties':
        return this.#table(given, depth);
      case 'allOf':
      case 'anyOf':
      case 'prefixItems':
        return this.#list(given, depth);
      case 'items':
        return this.#list(given, depth) ?? this.widen(given, depth);
      case 'additionalItems':
      case 'additionalProperties':
        return this.widen(given, depth);
      case 'maxProperties':
        return this.#top.has(schema) ? undefined : given;
      default:
        return KEPT.has(keyword) ? given : undefined;
    }
  }

  #list(schemas: unknown, depth: number): readonly JsonSchema[] | undefined {
    return Array.isArray(schemas) ? schemas.map((each) => this.widen(each, depth)) : undefined;
  }

  #table(schemas: unknown, depth: number): SchemaObject | undefined {
    if (!isObject(schemas)) return undefined;
    return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, this.widen(each, depth)]));
  }
}

/**
 * The schema that every tagged copy of a valid value fulfils. It only ever allows more: a keyword that is not known to
 * hold for tagged strings and names is left out.
 */
export function widenSchema(schema: JsonSchema): JsonSchema {
  if (Declared.by(schema).hasName(NOTICE_KEY))
    throw new SallyportError('ERR_INVALID_OPTION', `schema declares ${NOTICE_KEY}, which is ours: rename it.`);
  const root = copyOf(schema);
  return isObject(root) ? new Widener(root).widen(root, 0) : root;
}
