import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import type { Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';

/** The lowest likelihood at which spans of one tag are reported. */
export interface ThresholdChange {
  readonly tag: string;
  readonly least: Likelihood;
}

/** Tests a change against known attacks, and returns the names of those that would no longer be found. */
export type Replay = (change: ThresholdChange) => Promise<readonly string[]>;

/** Spans of this likelihood are always reported, so each threshold must be below it. */
export const FLOOR: Likelihood = 'high';

const rank = (likelihood: Likelihood): number => LIKELIHOODS.indexOf(likelihood);

function isBelow(one: Likelihood, other: Likelihood): boolean {
  return rank(one) < rank(other);
}

/** The threshold that applies if this one is stored: below the floor, wherever it comes from. */
export function withinFloor(least: Likelihood): Likelihood {
  return isBelow(least, FLOOR) ? least : (LIKELIHOODS[rank(FLOOR) - 1] as Likelihood);
}

/** Refuses a threshold that is not below the floor, or hides a known attack. Every way to set one passes here. */
export async function checkThreshold(
  change: ThresholdChange,
  replay: Replay,
  floor: Likelihood = FLOOR,
): Promise<void> {
  const { tag, least } = change;
  if (least === 'low') return;
  if (!isBelow(least, floor))
    throw new StoreError(
      'invalid',
      `The threshold of ${tag} must be below '${floor}': spans with that likelihood are always reported.`,
    );
  const missed = await replay(change);
  if (missed.length > 0)
    throw new StoreError(
      'conflict',
      `With the threshold '${least}' of ${tag}, ${missed.length} known attacks would not be found: leave it at 'low'.`,
    );
}

/** How many spans of any server that people reported as attacks a threshold would have hidden. */
export async function reportedAttacks(
  sql: Transaction,
  workspace: string,
  { tag, least }: ThresholdChange,
): Promise<number> {
  const below = LIKELIHOODS.slice(0, rank(least));
  const [reported] = await sql<{ attacks: number }[]>`select count(*)::int as attacks from feedback
    where workspace_id = ${workspace} and tag = ${tag} and verdict = 'attack' and likelihood = any(${below}::text[])`;
  return reported?.attacks ?? 1;
}

/** Refuses a threshold that would have hidden a span of any server that a person reported as an attack. */
export async function checkReportedAttacks(
  sql: Transaction,
  workspace: string,
  change: ThresholdChange,
): Promise<void> {
  const { tag, least } = change;
  if (least !== 'low' && (await reportedAttacks(sql, workspace, change)) > 0)
    throw new StoreError(
      'conflict',
      `A span of ${tag} below '${least}' was reported as an attack: leave the threshold at 'low'.`,
    );
}
