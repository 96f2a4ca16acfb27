import type { Driver } from './driver/driver.ts';
import { approval } from './scenario/approval.ts';
import { calls } from './scenario/calls.ts';
import { descriptions } from './scenario/descriptions.ts';
import { judge } from './scenario/judge.ts';
import { output } from './scenario/output.ts';
import { provided } from './scenario/provided.ts';
import { results } from './scenario/results.ts';
import { played, type Scenario } from './scenario/scenario.ts';
import { state } from './scenario/state.ts';
import { wiring } from './scenario/wiring-mistakes.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...results,
  ...calls,
  ...state,
  ...wiring,
  ...descriptions,
  ...judge,
  ...output,
  ...approval,
  ...provided,
];

/** The result of one cell of the table. */
export type Cell =
  | { readonly type: 'passed' }
  | { readonly type: 'impossible'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

export async function cellOf(driver: Driver, scenario: Scenario): Promise<Cell> {
  const reason = driver.impossible[scenario.id];
  if (reason !== undefined) return { type: 'impossible', reason };
  try {
    await played(driver, scenario);
    return { type: 'passed' };
  } catch (error) {
    return { type: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
