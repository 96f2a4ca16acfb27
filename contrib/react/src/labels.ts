import type { ApprovalScope } from '@sallyport/core';
import type { ReactNode } from 'react';

/**
 * The words of `<HeldCall>`, for another language or another tone. A function receives untrusted names as elements that are already
 * isolated: put them into the sentence as they are.
 *
 * @example
 * ```tsx
 * const labels: Partial<HeldCallLabels> = {
 *   asked: (tool) => <>Darf der Assistent {tool} benutzen?</>,
 *   reject: 'Ablehnen',
 * };
 * <HeldCall call={call} labels={labels} {...handlers} />;
 * ```
 */
export interface HeldCallLabels {
  /** The title of a call that waits. */
  readonly asked: (tool: ReactNode) => ReactNode;
  /** The title of a call that was denied. */
  readonly denied: (tool: ReactNode) => ReactNode;
  /** The title of the values that do not decide, such as the text of a mail. */
  readonly others: string;
  /** Shown if the call has more values than are shown. */
  readonly incomplete: string;
  /** Introduces a quotation: the arguments whose values occur in it, and its source, if that has a name. */
  readonly quoted: (names: ReactNode, source: ReactNode | undefined) => ReactNode;
  /** One button for each scope that the decision allows. */
  readonly scopes: Readonly<Record<ApprovalScope, string>>;
  /** The calls that scopes other than `once` cover. */
  readonly scopesHint: string;
  /** The button that rejects a call that waits. */
  readonly reject: string;
  /** The button that leaves a denied call denied. */
  readonly keepDenied: string;
  /** The box that a person ticks before they override a denial. */
  readonly acknowledge: string;
  /** The button that overrides a denial. */
  readonly override: string;
  /** The name of the group of buttons, for screen readers. */
  readonly answers: string;
}

export const LABELS: HeldCallLabels = {
  asked: (tool) => ['May the assistant use ', tool, '?'],
  denied: (tool) => [tool, ' was blocked'],
  others: 'Everything else in this call',
  incomplete: 'This call has more values than can be shown here.',
  quoted: (names, source) =>
    source === undefined ? ['Found in what was read: ', names] : ['Found in ', source, ': ', names],
  scopes: {
    once: 'Allow once',
    task: 'Allow until my next message',
    conversation: 'Allow in this conversation',
    always: 'Always allow',
  },
  scopesHint: 'The longer answers cover this tool with these values, and nothing else.',
  reject: 'Reject',
  keepDenied: 'Keep it blocked',
  acknowledge: 'I have read this',
  override: 'Allow once anyway',
  answers: 'Your answer',
};
