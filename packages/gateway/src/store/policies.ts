import type { Effect, Preset } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { EFFECTS, type Likelihood, PRESETS } from '@sallyport/core/stages';
import {
  CONVERSATIONS,
  type Conversations,
  MODES,
  type Mode,
  STRUCTURED,
  type Structured,
  type ToolKnowledge,
} from '@sallyport/mcp-proxy';
import { Ajv } from 'ajv';
import type { Bus } from '../cache/bus.ts';
import { CachedValue, type CachedValueOptions } from '../cache/cached-value.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery } from './database.ts';
import { StoreError } from './errors.ts';

interface SharedPolicy {
  readonly preset?: Preset;
  readonly mode?: Mode;
  readonly structured?: Structured;
  /** Seconds that a held call waits for an answer. */
  readonly askTimeout?: number;
  /** Maximum size of one text, in kilobytes. */
  readonly limit?: number;
  /** By tag, the lowest likelihood at which spans are reported. */
  readonly thresholds?: Readonly<Record<string, Likelihood>>;
}

/** The policy of a workspace for one server. */
interface ServerPolicy extends SharedPolicy {
  readonly trusted?: boolean;
  readonly tools?: Readonly<Record<string, ToolKnowledge>>;
}

/** What the guard of one server follows. */
export interface GuardPolicy extends ServerPolicy {
  readonly secondPerson?: readonly Effect[];
  readonly conversations?: Conversations;
}

/** The policy of a workspace for all its servers. */
export interface PolicyBody extends SharedPolicy {
  /** Whether calls are only reported, and never held. Servers of a workspace share conversations, so it is the same for all. */
  readonly observe?: boolean;
  /** Whether names of conversations count. The same for all servers, because conversations span them. */
  readonly conversations?: Conversations;
  /** Effects of which a held call is answered only by another principal than the one that called. */
  readonly secondPerson?: readonly Effect[];
  readonly servers?: Readonly<Record<string, ServerPolicy>>;
}

export interface Policy {
  /** 0 if no policy was set. */
  readonly version: number;
  readonly body: PolicyBody;
  readonly by?: string;
  readonly at?: Date;
}

const SHAPES = ['id', 'uuid', 'timestamp', 'date', 'time', 'integer', 'number', 'code', 'email'];
const TOOL_NAME = '^[^\\u0000-\\u001f\\u007f]{1,200}$';
// A JSON pointer, such as /items/*/price.
const POINTER = '^/[^\\u0000-\\u001f\\u007f]{0,199}$';

const TOOL = {
  type: 'object',
  additionalProperties: false,
  properties: {
    effect: { enum: EFFECTS },
    trusted: { type: 'boolean' },
    origin: { enum: ['workspace', 'retrieved', 'external'] },
    confidentiality: { enum: ['public', 'private', 'secret'] },
    modelText: { type: 'array', maxItems: 100, items: { type: 'string', pattern: TOOL_NAME } },
    serviceFields: { type: 'object', propertyNames: { pattern: POINTER }, additionalProperties: { enum: SHAPES } },
  },
};

const SHARED = {
  preset: { enum: PRESETS },
  mode: { enum: MODES },
  structured: { enum: STRUCTURED },
  askTimeout: { type: 'number', exclusiveMinimum: 0, maximum: 3600 },
  limit: { type: 'number', minimum: 1, maximum: 100_000 },
  thresholds: {
    type: 'object',
    propertyNames: { pattern: '^[a-z0-9-]{1,40}$' },
    additionalProperties: { enum: ['low', 'medium', 'high'] },
  },
};

const SERVER = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...SHARED,
    trusted: { type: 'boolean' },
    tools: { type: 'object', propertyNames: { pattern: TOOL_NAME }, additionalProperties: TOOL },
  },
};

/** The JSON Schema of a policy, for the API's document and for validation. */
export const POLICY_SCHEMA: Readonly<Record<string, unknown>> = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...SHARED,
    observe: { type: 'boolean' },
    conversations: { enum: CONVERSATIONS },
    secondPerson: { type: 'array', uniqueItems: true, maxItems: EFFECTS.length, items: { enum: EFFECTS } },
    servers: { type: 'object', propertyNames: { pattern: '^[a-z0-9-]{1,40}$' }, additionalProperties: SERVER },
  },
};

const isPolicy = new Ajv({ allErrors: false }).compile(POLICY_SCHEMA);

function check(body: unknown): PolicyBody {
  if (isPolicy(body)) return body as PolicyBody;
  const [error] = isPolicy.errors ?? [];
  throw new StoreError('invalid', `The policy is not valid at ${error?.instancePath || '/'}: it ${error?.message}.`);
}

interface PolicyRow {
  readonly version: number;
  readonly body: PolicyBody;
  readonly made_by: string;
  readonly at: Date;
}

function mapValues<V>(values: Readonly<Record<string, V>>, change: (value: V) => V): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** A name that versions before 0.2 found anywhere in a result is now a field at its top. */
function pointerOf(name: string): string {
  return name.startsWith('/') ? name : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A tool's settings as versions before 0.2 stored them: under the names `free` and `fields`, with names of fields. */
function toolOf({ free, fields, ...tool }: ToolKnowledge & { free?: unknown; fields?: unknown }): ToolKnowledge {
  const { serviceFields = fields, ...rest } = tool as ToolKnowledge & { serviceFields?: unknown };
  const pointers = Object.entries(serviceFields ?? {}).map(([name, shape]) => [pointerOf(name), shape]);
  return {
    ...(free === undefined ? {} : { modelText: free }),
    ...(serviceFields === undefined ? {} : { serviceFields: Object.fromEntries(pointers) }),
    ...rest,
  } as ToolKnowledge;
}

/** The preset that versions before 0.2 called `observe`. */
const OBSERVE = 'observe' as Preset;

function serverOf({ preset, ...server }: ServerPolicy): ServerPolicy {
  const presets = preset === undefined ? {} : { preset: preset === OBSERVE ? 'balanced' : preset };
  const tools = server.tools === undefined ? {} : { tools: mapValues(server.tools, toolOf) };
  return { ...presets, ...server, ...tools };
}

function policyOf({ version, body, made_by: by, at }: PolicyRow): Policy {
  const presets = body.preset === OBSERVE ? { preset: 'balanced' as const, observe: true } : {};
  const servers = body.servers === undefined ? {} : { servers: mapValues(body.servers, serverOf) };
  return { version, body: { ...body, ...presets, ...servers }, by, at };
}

/** The policy of one server: its own settings, and those of the workspace for the rest. */
export function policyFor({ servers = {}, observe, ...shared }: PolicyBody, server: string): GuardPolicy {
  const own = Object.hasOwn(servers, server) ? servers[server] : {};
  return { ...shared, ...own, thresholds: { ...shared.thresholds, ...own?.thresholds } };
}

/** The policies of all workspaces. Each change creates a version; the newest applies. */
export class Policies {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #current: CachedValue<Policy>;

  constructor(database: Database, bus: Bus, cache: CachedValueOptions = {}) {
    this.#database = database;
    this.#bus = bus;
    const load = async (workspace: string): Promise<Policy> => {
      const [row] = await runQuery(
        () => database.system<PolicyRow[]>`select * from sallyport.current_policy(${workspace}::uuid)`,
      );
      return row === undefined ? { version: 0, body: {} } : policyOf(row);
    };
    this.#current = new CachedValue(bus, 'policy', load, cache);
  }

  /** The current policy, at most a second old. */
  current(workspace: string): Promise<Policy> {
    return this.#current.get(workspace);
  }

  /** Replaces the version that the author has seen, and returns the new version. */
  async put(workspace: string, body: unknown, seen: number, by: string): Promise<number> {
    const checked = check(body);
    const version = await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } = await sql`insert into policies (workspace_id, version, body, made_by)
        select ${workspace}::uuid, ${seen}::int + 1, ${JSON.stringify(checked)}::text::jsonb, ${by}
          where ${seen}::int = (select coalesce(max(version), 0) from policies where workspace_id = ${workspace}::uuid)
        on conflict do nothing`;
      if (count === 0)
        throw new StoreError('conflict', 'The policy was changed meanwhile: read it and apply your change again.');
      const digest = digestText(canonicalJson(checked));
      await recordAudit(this.#database, sql, workspace, {
        type: 'policy',
        what: 'changed',
        version: seen + 1,
        digest,
        by,
      });
      return seen + 1;
    });
    await this.#bus.publish('policy', workspace, String(version));
    return version;
  }

  /** All versions, newest first. */
  async history(workspace: string): Promise<readonly Policy[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) =>
        sql<PolicyRow[]>`select * from policies where workspace_id = ${workspace} order by version desc limit 1000`,
    );
    return rows.map(policyOf);
  }

  close(): void {
    this.#current.close();
  }
}
