import { fieldsOf, isFields } from '../json/fields.ts';
import { type Effect, effectOfAnnotations, type ToolAnnotations } from './effect.ts';
import { ADDRESSES, ARGUMENTS, CODE, DATABASES, OVERWRITES, STATEMENTS } from './effect-words.ts';
import { effectOfName, effectsIn, singular, strongestOf, wordsOfName } from './verbs.ts';

/** Formats of arguments that say where a call goes. */
const ADDRESS_FORMAT = /^(?:ur[il]|iri)|^(?:idn-)?(?:email|hostname)$|^ipv[46]$/;
const MAX_DEPTH = 16;

/** A tool as a server lists it. */
interface ListedTool {
  readonly annotations?: unknown;
  readonly inputSchema?: unknown;
}

/** What a tool's arguments can hold, by its schema. */
interface Taken {
  hasAddress: boolean;
  hasCode: boolean;
  hasStatement: boolean;
  /** What the arguments add to a tool that writes or sends. */
  readonly effects: Effect[];
}

const TABLES: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const SCHEMAS: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
]);

/** The schema leaves open which arguments there are, or what they are: then they can hold an address too. */
function isOpen(schema: Readonly<Record<string, unknown>>): boolean {
  const { type, properties, items, prefixItems, additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  const types = [type].flat();
  if (types.includes('object') && !isFields(properties) && additionalProperties !== false) return true;
  if (types.includes('array') && items === undefined && prefixItems === undefined) return true;
  return !['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'properties'].some((key) => key in schema);
}

function readNames(table: Readonly<Record<string, unknown>>, taken: Taken, depth: number): void {
  for (const [name, schema] of Object.entries(table)) {
    const all = wordsOfName(name);
    taken.hasAddress ||= all.some((word) => ADDRESSES.has(word));
    taken.hasCode ||= all.some((word) => CODE.has(word));
    taken.hasStatement ||= all.some((word) => STATEMENTS.has(word));
    taken.effects.push(...effectsIn(ARGUMENTS, singular(all)));
    readSchema(schema, taken, depth);
  }
}

function readSchema(schema: unknown, taken: Taken, depth = 0): void {
  if (!isFields(schema) || depth > MAX_DEPTH) {
    taken.hasAddress = true;
    return;
  }
  const { format } = schema;
  taken.hasAddress ||= isOpen(schema) || (typeof format === 'string' && ADDRESS_FORMAT.test(format));
  for (const [keyword, given] of Object.entries(schema)) {
    const schemas = SCHEMAS.has(keyword) && typeof given === 'object' ? [given].flat() : [];
    for (const each of schemas) readSchema(each, taken, depth + 1);
    if (TABLES.has(keyword) && isFields(given)) readNames(given, taken, depth + 1);
  }
}

const WEAK: ReadonlySet<Effect> = new Set(['read', 'fetch', 'write', 'send']);

/** A tool that takes a query, of a database by its name: a statement can change what it finds. */
function queriesDatabase(all: readonly string[], { hasStatement }: Taken): boolean {
  const takesQuery = hasStatement || all.includes('query');
  return takesQuery && (all.some((word) => DATABASES.has(word)) || all.every((word) => word === 'query'));
}

/**
 * The effect that a tool's name suggests, or a stronger one if its arguments say more. "Get" with an address is a request to that
 * address, and what takes code can do anything.
 *
 * The server chooses the names of its tools and arguments, so this is right for honest servers only. A hostile one can call its
 * shell `read_file`, with an argument `path`, and no call of it is checked. No name helps against such a server: it sees what the
 * model passes to it, and runs what code it likes, whatever a call says. Checks protect an honest server's tools from what others
 * write. To have every call of a server checked, declare its tools as `execute`.
 */
function effectByName(name: string, { inputSchema }: ListedTool): Effect {
  const effect = effectOfName(name);
  const taken: Taken = { hasAddress: false, hasCode: false, hasStatement: false, effects: [] };
  readSchema(inputSchema, taken);
  const all = wordsOfName(name);
  if ((taken.hasCode || queriesDatabase(all, taken)) && WEAK.has(effect)) return 'execute';
  if (effect === 'write' || effect === 'send')
    return taken.hasStatement ? 'execute' : (strongestOf([effect, ...taken.effects]) ?? effect);
  if (!taken.hasAddress) return all.includes('fetch') && effect === 'fetch' ? 'read' : effect;
  return effect === 'read' ? 'fetch' : effect;
}

function destructive(name: string, named: Effect): Effect {
  return named === 'write' && wordsOfName(name).some((word) => OVERWRITES.has(word)) ? 'write' : 'destroy';
}

/** A server without a review may say that a tool does more than its name says. That it does less does not count. */
function strengthened(name: string, named: Effect, hints: ToolAnnotations): Effect {
  if (!WEAK.has(named)) return named;
  if (hints.destructiveHint === true) return destructive(name, named);
  if (hints.readOnlyHint === false && (named === 'read' || named === 'fetch')) return 'write';
  return hints.openWorldHint === true && named === 'read' ? 'fetch' : named;
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const;

/** What acts on money, or on what happens later, as its name says. No hint of the protocol can say so. */
const NAMED: ReadonlySet<Effect> = new Set(['spend', 'configure']);

/**
 * The effect of a tool that the user has not declared: by the hints of a server that they trust, or else by its name.
 *
 * @example
 * ```ts
 * const effect = effectOfServerTool(tool.name, tool, pins.has(tool.name));
 * ```
 */
export function effectOfServerTool(name: string, tool: ListedTool, isTrusted: boolean): Effect {
  const hints: ToolAnnotations = isFields(tool.annotations) ? tool.annotations : {};
  const named = effectByName(name, tool);
  if (!isTrusted || !HINTS.some((hint) => typeof hints[hint] === 'boolean')) return strengthened(name, named, hints);
  const hinted = effectOfAnnotations(hints, true);
  if (NAMED.has(named) && WEAK.has(hinted) && hints.readOnlyHint !== true) return named;
  return hinted === 'destroy' ? destructive(name, named) : hinted;
}

/** Where no schema is known, the arguments of a call say what a tool takes. */
function schemaOf(given: unknown): unknown {
  const properties = Object.fromEntries(Object.keys(fieldsOf(given)).map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, additionalProperties: false };
}

/**
 * The effect of an undeclared tool of which only a call is known: by its name and the names of the call's arguments.
 *
 * @example
 * ```ts
 * effectOfCalledTool('get_page', { url: 'https://example.com' }); // 'fetch'
 * ```
 */
export function effectOfCalledTool(name: string, given: unknown): Effect {
  return effectOfServerTool(name, { inputSchema: schemaOf(given) }, false);
}
