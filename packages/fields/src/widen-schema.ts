import {
  Declared,
  type Fields,
  isFields,
  type JsonSchema,
  listOf,
  refuse,
  SchemaDocument,
} from '@sallyport/core/adapter';

/** The property of the root that holds the notice to the model. */
export const NOTICE_KEY = '_security_notice';

// Deeper than any schema that a person writes. Everything below it is allowed, which only widens the schema.
const MAX_NESTING = 256;

// Keywords that still hold when strings get longer or names change. `nullable` (OpenAPI) widens `type`, so it must stay.
// `uniqueItems` would hold too, but Ajv calls valueOf to compare, and an object without a prototype has none.
const KEPT = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['type', 'nullable', 'enum', 'const', 'required', 'minProperties', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

function describesObject({ type, properties, additionalProperties }: Fields): boolean {
  return (
    type === 'object' ||
    listOf(type).includes('object') ||
    properties !== undefined ||
    additionalProperties !== undefined
  );
}

class Widener {
  readonly #document: SchemaDocument;
  readonly #top: ReadonlySet<Fields>;

  constructor(document: SchemaDocument) {
    this.#document = document;
    this.#top = document.reach([document.root]);
  }

  widen(schema: unknown, depth: number): JsonSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isFields(schema) || this.#document.isForeign(schema) || depth > MAX_NESTING) return {};
    const wide: Record<string, unknown> = {};
    for (const keyword of Object.keys(schema)) {
      const loosened = this.#keyword(schema, keyword, depth + 1);
      if (loosened !== undefined) wide[keyword] = loosened;
    }
    // More than one branch may match once strings are widened.
    const choices = this.#list(schema.oneOf, depth + 1);
    if (choices !== undefined && wide.anyOf === undefined) wide.anyOf = choices;
    else if (choices !== undefined) wide.allOf = [...listOf(wide.allOf), { anyOf: choices }];
    if (schema.patternProperties !== undefined) wide.additionalProperties = true;
    if (this.#top.has(schema) && describesObject(schema))
      wide.properties = { ...(wide.properties as Fields | undefined), [NOTICE_KEY]: { type: 'string' } };
    return wide;
  }

  #keyword(schema: Fields, keyword: string, depth: number): unknown {
    const given = schema[keyword];
    switch (keyword) {
      case '$ref':
        return this.#document.targetOf(given) === undefined ? undefined : given;
      case '$defs':
      case 'definitions':
        return schema === this.#document.root ? this.#table(given, depth) : undefined;
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

  #table(schemas: unknown, depth: number): Fields | undefined {
    if (!isFields(schemas)) return undefined;
    return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, this.widen(each, depth)]));
  }
}

/**
 * The schema that every tagged copy of a valid value satisfies. It never allows less: a keyword that may not hold for tagged
 * strings and names is left out.
 */
export function widenSchema(schema: JsonSchema): JsonSchema {
  if (Declared.by(schema).hasName(NOTICE_KEY))
    refuse(`\`schema\` must not declare ${NOTICE_KEY}, which is reserved. Rename that property.`);
  const document = new SchemaDocument(schema);
  return new Widener(document).widen(document.root, 0);
}
