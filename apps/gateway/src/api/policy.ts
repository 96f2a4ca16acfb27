import { dryRunSource } from '../operate/dry-run-source.ts';
import { POLICY_SCHEMA } from '../store/policy/schema.ts';
import { type DryRunOptions, type DryRuns, HOURS, REPORT, sinceHours } from './dry-run.ts';
import { listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

const VERSION: Schema = { type: 'integer', minimum: 0, maximum: 2_000_000_000 };
const ALLOW_UNKNOWN: Schema = {
  type: 'boolean',
  description: 'Whether the policy may name servers and tools that the workspace does not have yet. Default: false.',
};
const POLICY = objectOf({ version: VERSION, body: POLICY_SCHEMA, 'by?': TEXT, 'at?': TIME });

interface DryRunBody {
  readonly body: unknown;
  readonly hours: number;
  readonly allowUnknown?: boolean;
}

/** The policy of the workspace, and its versions. */
export function policyRoutes(options: DryRunOptions, dryRuns: DryRuns): readonly Route[] {
  const { policies } = options;
  return [
    route({
      method: 'get',
      path: '/policy',
      name: 'readPolicy',
      summary: 'Reads the current policy',
      scope: 'policy',
      answer: { status: 200, description: 'The policy. Version 0 means that none was set', schema: POLICY },
      handle: ({ caller }) => policies.current(caller.workspace),
    }),
    route<{ version: number; body: unknown; allowUnknown?: boolean }>({
      method: 'put',
      path: '/policy',
      name: 'putPolicy',
      summary: 'Replaces the policy, if `version` is still the current one',
      scope: 'policy',
      body: objectOf({ version: VERSION, body: { type: 'object' }, 'allowUnknown?': ALLOW_UNKNOWN }),
      documentedBody: objectOf({ version: VERSION, body: POLICY_SCHEMA, 'allowUnknown?': ALLOW_UNKNOWN }),
      answer: { status: 200, description: 'The new version', schema: objectOf({ version: VERSION }) },
      handle: async ({ caller: { workspace, principal }, body: { version, body, allowUnknown = false } }) => ({
        version: await policies.put(workspace, body, version, principal, { allowUnknown }),
      }),
    }),
    route<DryRunBody>({
      method: 'post',
      path: '/policy/dry-run',
      name: 'tryPolicy',
      summary: 'Judges the recorded calls of the last hours again under another policy. Nothing is changed',
      scope: 'policy',
      body: objectOf({ body: { type: 'object' }, hours: HOURS, 'allowUnknown?': ALLOW_UNKNOWN }),
      documentedBody: objectOf({ body: POLICY_SCHEMA, hours: HOURS, 'allowUnknown?': ALLOW_UNKNOWN }),
      answer: { status: 200, description: 'How the decisions differ', schema: REPORT },
      handle: ({ caller: { workspace }, body: { body, hours, allowUnknown = false } }) =>
        dryRuns.run(workspace, () =>
          dryRunSource(options, workspace, body, { since: sinceHours(hours), allowUnknown }),
        ),
    }),
    route({
      method: 'get',
      path: '/policy/history',
      name: 'listPolicies',
      summary: 'Lists all versions, newest first',
      scope: 'policy',
      answer: { status: 200, description: 'At most 1000 versions', schema: objectOf({ policies: listOf(POLICY) }) },
      handle: async ({ caller }) => ({ policies: await policies.history(caller.workspace) }),
    }),
  ];
}
