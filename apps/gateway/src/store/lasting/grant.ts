import type { ApprovalScope } from '@sallyport/core';
import type { ApprovalKeys, Question } from '@sallyport/mcp-proxy';
import { StoreError } from '../errors.ts';

/** The scope of an approval beyond the call itself. */
export interface GrantInput {
  /** The calls that the approval covers. @default 'once' */
  readonly scope?: ApprovalScope | undefined;
  /** When a lasting approval expires. @default an hour, a day or 30 days from now, by its scope */
  readonly until?: Date | undefined;
}

/** Scopes of approvals that outlive the call. */
export type LastingScope = Exclude<ApprovalScope, 'once'>;

export interface LastingGrant {
  readonly scope: LastingScope;
  readonly until: Date;
  /** The digests that the approval is found by. */
  readonly keys: readonly string[];
  /** The terms that it is bound to. */
  readonly terms: string;
}

/** A question as it is stored, with what a lasting answer to it would be found by and bound to. */
export interface StoredQuestion {
  readonly question: Question;
  readonly keys: ApprovalKeys | null;
  readonly terms: string | null;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/**
 * Milliseconds for which an approval applies. The gateway does not see the user's messages, so it cannot know when a task ends: it
 * counts as an hour. No approval applies forever: people leave, and calls without questions are no longer looked at.
 */
const TERMS: Readonly<
  Record<LastingScope, { readonly usual: number; readonly max: number; readonly maxText: string }>
> = {
  task: { usual: HOUR, max: DAY, maxText: 'one day' },
  conversation: { usual: DAY, max: DAY, maxText: 'one day' },
  always: { usual: 30 * DAY, max: 365 * DAY, maxText: 'one year' },
};

function refuse(message: string): never {
  throw new StoreError('invalid', message);
}

/** The grant of an answer beyond its call; undefined if it applies once. Throws if the question does not allow it. */
export function grantOf(
  { scope = 'once', until }: GrantInput,
  answer: 'approved' | 'denied',
  { question: { scopes, secondPerson }, keys, terms }: StoredQuestion,
  now: number,
): LastingGrant | undefined {
  if (scope === 'once') {
    if (until !== undefined) refuse('`until` is for an approval that lasts: give a `scope` other than once as well.');
    return undefined;
  }
  if (answer === 'denied') refuse('A denial applies once: leave `scope` and `until` out.');
  if (secondPerson === true) refuse('A call that needs a second person is approved once: leave `scope` out.');
  if (!scopes.includes(scope))
    refuse(`This call cannot be approved with the scope ${scope}, only with: ${scopes.join(', ')}.`);
  const own = keys?.[scope] ?? [];
  if (terms === null || own.length === 0) refuse('This call can only be approved once: leave `scope` out.');
  const { usual, max, maxText } = TERMS[scope];
  const end = until?.getTime() ?? now + usual;
  if (!(end > now && end <= now + max))
    refuse(`With the scope ${scope}, \`until\` must be a time in the future, at most ${maxText} ahead.`);
  return { scope, until: new Date(end), keys: own, terms };
}
