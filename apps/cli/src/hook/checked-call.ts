import type { Decision, Effect, Preset } from '@sallyport/core';
import { ACTS_LATER } from '../guarded/rules.ts';

/** A call of a server's tool that may be made, as far as the hooks of a host are concerned. */
export interface CheckedCall {
  readonly preset: Preset;
  readonly effect: Effect;
  /** The rule that asked, if a person has let the call pass or the host asks them before it makes the call. */
  readonly askedBy: string | undefined;
  /** Checks that the session had read a passage when the call was checked. */
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
 * Lets the hooks' check of a call answer a wrapper's question about it if the wrapper only lacks the user's words, and
 * not if it has read more, or follows a rule that the hooks do not have.
 */
export function answers(checked: CheckedCall, decision: Decision): boolean {
  const { outcome, effect, rule, cell, scopes } = decision;
  if (outcome !== 'ask' || effect !== checked.effect) return false;
  // Hooks have this rule too, and know what the user said.
  if (rule === checked.askedBy || rule === ACTS_LATER) return true;
  // Only what the table alone asks about can be approved for always. What alarms a wrapper was not read by the hooks, which know more.
  if (cell === undefined || !scopes.includes('always') || rule === 'alarm') return false;
  return rule !== 'requested' || hasReadAll(checked, decision);
}
