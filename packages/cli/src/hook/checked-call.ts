import type { Decision, Effect, Preset } from '@sallyport/core';

/** A call of a server's tool that may be made, as far as the hooks of a host are concerned. */
export interface CheckedCall {
  readonly preset: Preset;
  readonly effect: Effect;
  /** The rule that asked, if a person has let the call pass or the host asks them before it makes the call. */
  readonly askedBy: string | undefined;
  /** Whether the session had read a passage when the call was checked. */
  hasRead(passage: string): boolean;
}

/** Evidence is cut at 16 values; then not all of it is known. */
const MAX_EVIDENCE = 15;

function hasReadAll({ hasRead }: CheckedCall, { evidence }: Decision): boolean {
  const isRead = ({ excerpt }: Decision['evidence'][number]): boolean =>
    excerpt !== undefined && hasRead(`${excerpt.before}${excerpt.match}${excerpt.after}`);
  return evidence.length > 0 && evidence.length <= MAX_EVIDENCE && evidence.every(isRead);
}

/**
 * Whether a check by hooks answers what a wrapper asks about the same call. It does where the wrapper only does not know what the
 * user said. It does not where the wrapper has read more, or follows a rule that the hooks do not have.
 */
export function answers(checked: CheckedCall, decision: Decision): boolean {
  const { outcome, effect, rule, cell, scopes } = decision;
  if (outcome !== 'ask' || effect !== checked.effect) return false;
  // Only what the table alone asks about can be approved for always.
  if (cell === undefined || !scopes.includes('always')) return rule === checked.askedBy;
  return !cell.endsWith(', requested') || hasReadAll(checked, decision);
}
