import type { ClassifierV1 } from '@sallyport/core';
import { OUTCOMES } from '@sallyport/core/stages';
import type { DryRunStores } from '../operate/dry-run-source.ts';
import { type DryRunReport, dryRun, IGNORED } from '../serve/replay/dry-run.ts';
import { whileAlone } from '../store/alone.ts';
import type { DryRunSource } from '../store/policy/recorded.ts';
import { BusyError } from './route/problem.ts';
import { listOf, objectOf, type Schema, TEXT } from './route/route.ts';

export interface DryRunOptions extends DryRunStores {
  /** The application's own classifier. */
  readonly ownClassifier: ClassifierV1 | undefined;
}

export const HOURS: Schema = { type: 'number', exclusiveMinimum: 0, maximum: 24 * 366 };

const COUNT: Schema = { type: 'integer', minimum: 0 };
const OUTCOME: Schema = { enum: OUTCOMES };
const DIFFERENCE = objectOf({ more: COUNT, fewer: COUNT });

export const REPORT: Schema = objectOf({
  calls: { ...COUNT, description: 'Calls that were judged by the old and the new rules.' },
  asked: DIFFERENCE,
  denied: DIFFERENCE,
  marked: { ...DIFFERENCE, description: 'Spans that would be marked in what was read, or no longer be.' },
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

/** The longest dry run that a caller waits for. */
const BUDGET = { calls: 10_000, seconds: 20 };
const HOUR = 3_600_000;

export function sinceHours(hours: number): Date {
  return new Date(Date.now() - hours * HOUR);
}

/** Dry runs: one at a time at this replica, and one at a time in a workspace. */
export class DryRuns {
  readonly #options: DryRunOptions;
  #isRunning = false;

  constructor(options: DryRunOptions) {
    this.#options = options;
  }

  async run(workspace: string, readSource: () => Promise<DryRunSource>): Promise<DryRunReport> {
    const { database, ownClassifier } = this.#options;
    if (this.#isRunning) throw new BusyError('Another dry run is in progress at this replica.');
    this.#isRunning = true;
    try {
      const report = await whileAlone(database, workspace, 'dry run', async () =>
        dryRun(await readSource(), BUDGET, ownClassifier),
      );
      if (report === undefined) throw new BusyError('Another dry run is in progress in this workspace.');
      return report;
    } finally {
      this.#isRunning = false;
    }
  }
}
