import type { ClassifierV1 } from '@sallyport/core';
import { OUTCOMES } from '@sallyport/core/stages';
import { type DryRunStores, dryRunSource } from '../operate/dry-run-source.ts';
import { type DryRunReport, dryRun, IGNORED } from '../serve/replay/dry-run.ts';
import { whileAlone } from '../store/alone.ts';
import { POLICY_SCHEMA } from '../store/policy/schema.ts';
import { BusyError } from './route/problem.ts';
import { listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

const VERSION: Schema = { type: 'integer', minimum: 0, maximum: 2_000_000_000 };
const ALLOW_UNKNOWN: Schema = {
  type: 'boolean',
  description: 'Whether the policy may name servers and tools that the workspace does not have yet. Default: false.',
};
const HOURS: Schema = { type: 'number', exclusiveMinimum: 0, maximum: 24 * 366 };
const POLICY = objectOf({ version: VERSION, body: POLICY_SCHEMA, 'by?': TEXT, 'at?': TIME });

const COUNT: Schema = { type: 'integer', minimum: 0 };
const OUTCOME: Schema = { enum: OUTCOMES };
const DIFFERENCE = objectOf({ more: COUNT, fewer: COUNT });
const REPORT = objectOf({
  calls: { ...COUNT, description: 'Calls that were judged under both policies.' },
  asked: DIFFERENCE,
  denied: DIFFERENCE,
  changed: listOf(
    objectOf({
      at: { type: 'number', description: 'Milliseconds since 1970.' },
      principal: TEXT,
      server: TEXT,
      tool: TEXT,
      before: OUTCOME,
      after: OUTCOME,
      rule: TEXT,
      'cell?': TEXT,
    }),
  ),
  'stoppedBy?': { enum: ['calls', 'time'], description: 'What ran out before all calls were judged.' },
  unread: {
    ...COUNT,
    description: 'Conversations that were not read: their names are too long, or there is too much in them.',
  },
  ignored: {
    ...listOf({ enum: IGNORED }),
    description: 'Settings that differ between the policies, and that a dry run does not apply.',
  },
});

/** What a caller waits for, at most. */
const DRY_RUN_BUDGET = { calls: 10_000, seconds: 20 };
const HOUR = 3_600_000;

interface DryRunBody {
  readonly body: unknown;
  readonly hours: number;
  readonly allowUnknown?: boolean;
}

export interface PolicyRouteOptions extends DryRunStores {
  /** The application's own classifier. */
  readonly ownClassifier: ClassifierV1 | undefined;
}

/** The policy of the workspace, and its versions. */
export function policyRoutes(options: PolicyRouteOptions): readonly Route[] {
  const { policies, ownClassifier } = options;
  let isRunning = false;

  async function tryOut(workspace: string, { body, hours, allowUnknown = false }: DryRunBody): Promise<DryRunReport> {
    if (isRunning) throw new BusyError('Another dry run is in progress at this replica.');
    isRunning = true;
    try {
      const report = await whileAlone(options.database, workspace, 'dry run', async () => {
        const since = new Date(Date.now() - hours * HOUR);
        const source = await dryRunSource(options, workspace, body, { since, allowUnknown });
        return dryRun(source, DRY_RUN_BUDGET, ownClassifier);
      });
      if (report === undefined) throw new BusyError('Another dry run is in progress in this workspace.');
      return report;
    } finally {
      isRunning = false;
    }
  }

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
      handle: ({ caller: { workspace }, body }) => tryOut(workspace, body),
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
