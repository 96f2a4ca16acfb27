import { SUPPLIERS, similarTo } from '@sallyport/core/adapter';
import { EFFECTS, OUTCOMES, PRESETS } from '@sallyport/core/stages';
import { CONVERSATIONS, MODES, STRUCTURED } from '@sallyport/mcp-proxy';
import { Ajv, type ErrorObject } from 'ajv';
import { StoreError } from '../errors.ts';
import type { PolicyBody } from './body.ts';

const SHAPES = ['id', 'uuid', 'timestamp', 'date', 'time', 'integer', 'number', 'code', 'email'];
const SERVER_NAME = '^[a-z0-9-]{1,40}$';
const TOOL_NAME = '^[^\\u0000-\\u001f\\u007f]{1,200}$';
// A JSON pointer, such as /items/*/price.
const POINTER = '^/[^\\u0000-\\u001f\\u007f]{0,199}$';

type Schema = Readonly<Record<string, unknown>>;

function objectWith(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', additionalProperties: false, properties };
}

function namesTo(names: readonly string[], schema: (name: string) => Schema): Schema {
  return objectWith(Object.fromEntries(names.map((name) => [name, schema(name)])));
}

function mapOf(pattern: string, value: Schema): Schema {
  return { type: 'object', propertyNames: { pattern }, additionalProperties: value };
}

/** An instruction in content never decides alone: its cells ask at least. */
function outcomesOf(supplier: string): Schema {
  return { enum: supplier === 'instructed' ? OUTCOMES.filter((outcome) => outcome !== 'allow') : OUTCOMES };
}

const TABLE = namesTo(
  EFFECTS.filter((effect) => effect !== 'read'),
  () => namesTo(SUPPLIERS, outcomesOf),
);

const TOOL = objectWith({
  effect: { enum: EFFECTS },
  trusted: { type: 'boolean' },
  origin: { enum: ['workspace', 'retrieved', 'external'] },
  confidentiality: { enum: ['public', 'private', 'secret'] },
  modelText: { type: 'array', maxItems: 100, items: { type: 'string', pattern: TOOL_NAME } },
  serviceFields: { type: 'object', propertyNames: { pattern: POINTER }, additionalProperties: { enum: SHAPES } },
  table: TABLE,
});

const TOOL_LIST: Schema = { type: 'array', maxItems: 1000, items: { type: 'string', pattern: TOOL_NAME } };
const LISTS = { allow: TOOL_LIST, hide: TOOL_LIST };

const SHARED = {
  mode: { enum: MODES },
  structured: { enum: STRUCTURED },
  askTimeout: { type: 'number', exclusiveMinimum: 0, maximum: 3600 },
};

const SERVER = objectWith({ ...SHARED, trusted: { type: 'boolean' }, ...LISTS, tools: mapOf(TOOL_NAME, TOOL) });

/** Settings that conversations depend on. */
const WORKSPACE = {
  preset: { enum: PRESETS },
  table: TABLE,
  limit: { type: 'number', minimum: 1, maximum: 100_000 },
  thresholds: mapOf('^[a-z0-9-]{1,40}$', { enum: ['low', 'medium', 'high'] }),
  observe: { type: 'boolean' },
  conversations: { enum: CONVERSATIONS },
  secondPerson: { type: 'array', uniqueItems: true, maxItems: EFFECTS.length, items: { enum: EFFECTS } },
  corrections: objectWith({ content: { type: 'boolean' } }),
};

/** The JSON Schema of a policy, for the API's document and for validation. */
export const POLICY_SCHEMA: Schema = objectWith({
  ...SHARED,
  ...WORKSPACE,
  servers: mapOf(SERVER_NAME, SERVER),
  groups: mapOf(TOOL_NAME, objectWith({ servers: mapOf(SERVER_NAME, objectWith(LISTS)) })),
});

const isPolicy = new Ajv({ allErrors: true, verbose: true }).compile(POLICY_SCHEMA);
/** A file with more mistakes is another kind of file. */
const MAX_REASONS = 10;

// Only a name that reads as one is repeated: an answer is logged and shown, and a name may be anything.
function shown(name: string): string {
  return /^[\w.@-]{1,60}$/.test(name) ? name : '?';
}

/** Where an error is, as `servers.mail`; empty at the top. */
function placeOf({ instancePath }: ErrorObject): string {
  const names = instancePath.split('/').slice(1);
  return names.map((name) => shown(name.replaceAll('~1', '/').replaceAll('~0', '~'))).join('.');
}

function unknownMember(error: ErrorObject): string {
  const name = String(error.params.additionalProperty);
  const place = placeOf(error);
  if (/^servers\.[^.]*$/.test(place) && Object.hasOwn(WORKSPACE, name))
    return `\`${name}\` cannot be set in ${place}: all servers share \`${name}\`, so set it at the top.`;
  const names = Object.keys((error.parentSchema as { properties: object }).properties);
  const similar = similarTo(name, names);
  const next = similar === undefined ? `use one of ${names.join(', ')}` : `did you mean \`${similar}\`?`;
  return `\`${shown(name)}\` is not known in ${place || 'the policy'}: ${next}`;
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') return unknownMember(error);
  const place = placeOf(error) || 'the policy';
  if (error.keyword !== 'enum') return `\`${place}\` is not valid: it ${error.message}.`;
  const allowed = (error.params.allowedValues as readonly string[]).join(', ');
  const isCell = place.endsWith('.instructed') && error.data === 'allow';
  const why = isCell ? ', because content that others wrote must not decide alone' : '';
  return `\`${place}\` is not valid: it must be one of ${allowed}${why}.`;
}

/** The body as a policy. Refuses members and values that are not known, with the nearest known one. */
export function checkBody(body: unknown): PolicyBody {
  if (isPolicy(body)) return body as PolicyBody;
  // A name that is not valid is also reported by the map that it is in.
  const errors = (isPolicy.errors as ErrorObject[]).filter(({ keyword }) => keyword !== 'propertyNames');
  throw new StoreError('invalid', [...new Set(errors.slice(0, MAX_REASONS).map(messageOf))]);
}
