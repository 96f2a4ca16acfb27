import { thresholdSource } from '../../operate/dry-run-source.ts';
import type { DryRunReport } from '../../serve/replay/dry-run.ts';
import type { ServerThreshold, ThresholdCheck } from '../../store/feedback.ts';
import { type DryRunOptions, type DryRuns, HOURS, REPORT, sinceHours } from '../dry-run.ts';
import { listOf, NAME, objectOf, type Route, route, type Schema, TEXT, TIME } from '../route/route.ts';
import { LIKELIHOOD } from './findings.ts';

const COUNT: Schema = { type: 'integer', minimum: 0 };
const THRESHOLD = { server: NAME, tag: NAME, least: LIKELIHOOD };
const RANKS: Readonly<Record<string, number>> = { low: 1, medium: 2, high: 3 };

const TRIED = objectOf({
  isAllowed: { type: 'boolean', description: 'Whether it may be set now.' },
  'refusal?': { ...TEXT, description: 'What setting it would answer. Absent if it may be set.' },
  isBelowFloor: { type: 'boolean', description: 'Spans at the floor are always reported.' },
  alarms: objectOf({ reported: COUNT, needed: COUNT }),
  attacks: { ...COUNT, description: 'Reported attacks that it would hide.' },
  missed: { ...COUNT, description: 'Known attacks that would no longer be found.' },
  days: { ...COUNT, description: 'Days until it expires.' },
  others: {
    ...listOf(TEXT),
    description:
      'Servers whose threshold is lower. It applies once it is raised for all of them, because a conversation reads the results of all servers.',
  },
  'report?': { ...REPORT, description: 'What would have changed. Absent if the threshold is not below the floor.' },
});

interface TriedThreshold extends ThresholdCheck {
  readonly others: readonly string[];
  readonly report?: DryRunReport;
}

/** Thresholds of servers. */
export function thresholdRoutes(options: DryRunOptions, dryRuns: DryRuns): readonly Route[] {
  const { thresholds } = options;

  async function tryOut(
    workspace: string,
    { hours, ...change }: ServerThreshold & { readonly hours: number },
  ): Promise<TriedThreshold> {
    const checked = await thresholds.tryOut(workspace, change);
    const source = await thresholdSource(options, workspace, change, sinceHours(hours));
    const { servers, active } = source;
    const isLower = (index: number): boolean =>
      (RANKS[active.raised[index]?.get(change.tag) ?? 'low'] ?? 0) < (RANKS[change.least] ?? 0);
    const others = servers.flatMap(({ name }, index) => (name !== change.server && isLower(index) ? [name] : []));
    if (!checked.isBelowFloor) return { ...checked, others };
    return { ...checked, others, report: await dryRuns.run(workspace, async () => source) };
  }

  return [
    route({
      method: 'get',
      path: '/thresholds',
      name: 'listThresholds',
      summary: 'Lists the thresholds above low that apply, of all servers, with who set them and until when',
      scope: 'policy',
      answer: {
        status: 200,
        description: 'At most 1000 thresholds',
        schema: objectOf({
          thresholds: listOf(
            objectOf({
              ...THRESHOLD,
              by: TEXT,
              at: TIME,
              until: TIME,
              attacks: {
                ...COUNT,
                description: 'Spans that it hides and that were reported as attacks since.',
              },
            }),
          ),
        }),
      },
      handle: async ({ caller }) => ({ thresholds: await thresholds.list(caller.workspace) }),
    }),
    route({
      method: 'get',
      path: '/thresholds/{server}',
      name: 'readThresholds',
      summary: 'Lists the thresholds of a server by tag. The threshold of other tags is low',
      scope: 'policy',
      parameters: { server: NAME },
      answer: {
        status: 200,
        description: 'The current thresholds',
        schema: objectOf({ thresholds: { type: 'object', propertyNames: NAME, additionalProperties: LIKELIHOOD } }),
      },
      handle: async ({ caller, parameters: { server = '' } }) => ({
        thresholds: Object.fromEntries(await thresholds.current(caller.workspace, server)),
      }),
    }),
    route<ServerThreshold>({
      method: 'put',
      path: '/thresholds',
      name: 'setThreshold',
      summary:
        'Sets a threshold for 30 days. Raising it requires reported false alarms, and every known attack must still be found',
      scope: 'policy',
      body: objectOf(THRESHOLD),
      answer: { status: 204, description: 'The threshold was set' },
      handle: ({ caller: { workspace, principal }, body }) => thresholds.set(workspace, body, principal),
    }),
    route<ServerThreshold & { hours: number }>({
      method: 'post',
      path: '/thresholds/dry-run',
      name: 'tryThreshold',
      summary:
        'Says whether a threshold may be set, and what it would have changed in the last hours. Nothing is changed',
      scope: 'policy',
      body: objectOf({ ...THRESHOLD, hours: HOURS }),
      answer: { status: 200, description: 'What setting it would answer and change', schema: TRIED },
      handle: ({ caller: { workspace }, body }) => tryOut(workspace, body),
    }),
  ];
}
