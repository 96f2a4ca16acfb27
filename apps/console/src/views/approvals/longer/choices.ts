import type { Approval, ApprovalScope, Me } from '../../../api/types.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** A way to approve later calls too. */
export interface Choice {
  readonly name: string;
  readonly scope: Exclude<ApprovalScope, 'once'>;
  /** Milliseconds until it expires. */
  readonly term: number;
  /** The gateway's own term, for which the clock of the browser does not matter. */
  readonly isUsual: boolean;
}

const CHOICES: readonly Choice[] = [
  { name: 'for this task: one hour in this conversation', scope: 'task', term: HOUR, isUsual: true },
  { name: 'for this conversation: one day', scope: 'conversation', term: DAY, isUsual: true },
  { name: 'always, for 7 days', scope: 'always', term: 7 * DAY, isUsual: false },
  { name: 'always, for 30 days', scope: 'always', term: 30 * DAY, isUsual: true },
  { name: 'always, for 90 days', scope: 'always', term: 90 * DAY, isUsual: false },
];

/** The ways that a held call allows. */
export function choicesFor({ question }: Approval): readonly Choice[] {
  return CHOICES.filter(({ scope }) => question.scopes.includes(scope));
}

/** The choice as the gateway expects it. On one machine there is no other clock, and the usual terms are longer. */
export function grantOf(
  { scope, term, isUsual }: Choice,
  { isLocal }: Me,
): { readonly scope: ApprovalScope; readonly until?: string } {
  return isUsual && isLocal !== true ? { scope } : { scope, until: new Date(Date.now() + term).toISOString() };
}
