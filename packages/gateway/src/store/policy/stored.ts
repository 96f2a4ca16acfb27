import type { Preset } from '@sallyport/core';
import type { ToolKnowledge } from '@sallyport/mcp-proxy';
import type { PolicyBody, ServerPolicy } from './body.ts';
import { withinFloor } from './floor.ts';

function mapValues<V, W>(values: Readonly<Record<string, V>>, change: (value: V) => W): Readonly<Record<string, W>> {
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

/** Settings that versions before 0.2 accepted for a server and did not apply to it. */
type Unapplied = Pick<PolicyBody, 'preset' | 'limit' | 'thresholds'>;

function serverOf({ preset, limit, thresholds, ...server }: ServerPolicy & Unapplied): ServerPolicy {
  return server.tools === undefined ? server : { ...server, tools: mapValues(server.tools, toolOf) };
}

/** A policy as any version has stored it, in the form of this one. A threshold above the floor is lowered to it. */
export function storedPolicy(body: PolicyBody): PolicyBody {
  const presets = body.preset === OBSERVE ? { preset: 'balanced' as const, observe: true } : {};
  const servers = body.servers === undefined ? {} : { servers: mapValues(body.servers, serverOf) };
  const thresholds = body.thresholds === undefined ? {} : { thresholds: mapValues(body.thresholds, withinFloor) };
  return { ...body, ...presets, ...thresholds, ...servers };
}
