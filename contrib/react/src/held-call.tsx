'use client';

import type { ApprovalScope, HeldCall as HeldCallData } from '@sallyport/core';
import { Fragment, type ReactElement, type ReactNode, useEffect, useId, useState } from 'react';
import { type HeldCallLabels, LABELS } from './labels.ts';
import { type Quotation, quotationsOf } from './quotations.ts';
import { nameOf, type ShownValue, shownValues } from './values.ts';
import { visible } from './visible.ts';

/** Properties of `<HeldCall>`. */
export interface HeldCallProps {
  /** One of the calls that `boundary.pending()` lists. */
  readonly call: HeldCallData;
  /** The person allows the call, in one of the scopes of the decision. */
  readonly onApprove: (scope: ApprovalScope) => void;
  /** The person rejects the call, or leaves it denied. */
  readonly onReject: () => void;
  /** The person has read why the call was denied, and allows it once. @default a denial cannot be overridden */
  readonly onOverride?: () => void;
  /** Set while an answer is being sent: no second one can be given. @default false */
  readonly isBusy?: boolean;
  /**
   * How many milliseconds pass before the call can be allowed, so that a click that was meant for what was there before allows
   * nothing. @default 500
   */
  readonly approveDelay?: number;
  /** The class of the outermost element. The parts inside have `data-part`. @default none */
  readonly className?: string;
  /** The level of the title among the headings of your page. @default 3 */
  readonly headingLevel?: 2 | 3 | 4 | 5 | 6;
  /** Words in place of the English ones. @default English */
  readonly labels?: Partial<HeldCallLabels>;
}

/** Untrusted text. It is isolated, so that text from right to left does not rearrange what surrounds it. */
function Untrusted({ children }: { readonly children: string }): ReactElement {
  return <bdi>{visible(children)}</bdi>;
}

/** The name of a tool, of an argument or of a source. */
function Name({ children }: { readonly children: string }): ReactElement {
  return (
    <code>
      <Untrusted>{children}</Untrusted>
    </code>
  );
}

/** Elements of a label, each with a key. */
function Sentence({ children }: { readonly children: ReactNode }): ReactElement {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence keep their order
  const pieces = Array.isArray(children) ? children.map((each, at) => <Fragment key={at}>{each}</Fragment>) : children;
  return <>{pieces}</>;
}

function Values({ values, part }: { readonly values: readonly ShownValue[]; readonly part: string }): ReactElement {
  return (
    <dl data-part={part}>
      {values.map(({ path, value }) => (
        <div key={path}>
          <dt>
            <Untrusted>{nameOf(path)}</Untrusted>
          </dt>
          <dd>
            <Untrusted>{value}</Untrusted>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The tool and the values of the call. */
function What({ call, labels }: { readonly call: HeldCallData; readonly labels: HeldCallLabels }): ReactElement {
  const { deciding, others, isComplete } = shownValues(call);
  return (
    <>
      {deciding.length > 0 && <Values values={deciding} part="values" />}
      {others.length > 0 && (
        <details data-part="others">
          <summary>{labels.others}</summary>
          <Values values={others} part="other-values" />
        </details>
      )}
      {!isComplete && <p data-part="incomplete">{labels.incomplete}</p>}
    </>
  );
}

/** The sources of the values of the call. */
function Quoted({ from, labels }: { readonly from: Quotation; readonly labels: HeldCallLabels }): ReactElement {
  const { paths, source, pieces, trust } = from;
  const names = paths.map((path, at) => (
    <Fragment key={path}>
      {at > 0 && ', '}
      <Name>{nameOf(path)}</Name>
    </Fragment>
  ));
  return (
    <figure data-part="quotation" data-trust={trust}>
      <figcaption>
        <Sentence>{labels.quoted(names, source === undefined ? undefined : <Name>{source}</Name>)}</Sentence>
      </figcaption>
      <blockquote>
        {pieces.map(({ text, isMatch }, at) => {
          const Piece = isMatch ? 'mark' : Fragment;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
            <Piece key={at}>
              <Untrusted>{text}</Untrusted>
            </Piece>
          );
        })}
      </blockquote>
    </figure>
  );
}

const APPROVE_DELAY = 500;

/** False until some time has passed since the call was shown. */
function useIsSettled(delay: number): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), delay);
    return () => clearTimeout(timer);
  }, [delay]);
  return isSettled;
}

interface AnswersProps extends Omit<HeldCallProps, 'labels' | 'className' | 'headingLevel' | 'approveDelay'> {
  readonly labels: HeldCallLabels;
  readonly canAllow: boolean;
}

/** The answers to a call that waits. */
function Approve({ call, onApprove, onReject, isBusy, canAllow, labels }: AnswersProps): ReactElement {
  const { scopes } = call.decision;
  const hint = useId();
  const isHinted = scopes.some((scope) => scope !== 'once');
  return (
    <>
      {isHinted && (
        <p data-part="hint" id={hint}>
          {labels.scopesHint}
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset looks like a form, and this has no style of its own */}
      <div data-part="answers" role="group" aria-label={labels.answers}>
        <button type="button" data-answer="reject" disabled={isBusy} onClick={onReject}>
          {labels.reject}
        </button>
        {scopes.map((scope) => (
          <button
            key={scope}
            type="button"
            data-answer={scope}
            disabled={isBusy || !canAllow}
            aria-describedby={scope === 'once' ? undefined : hint}
            onClick={() => onApprove(scope)}
          >
            {labels.scopes[scope]}
          </button>
        ))}
      </div>
    </>
  );
}

/** The answers to a call that was denied. */
function Override({ call, onOverride, onReject, isBusy, canAllow, labels }: AnswersProps): ReactElement {
  const [isRead, setIsRead] = useState(false);
  const canOverride = onOverride !== undefined && call.decision.scopes.length > 0;
  return (
    <>
      {canOverride && (
        <label data-part="acknowledge">
          <input type="checkbox" checked={isRead} disabled={isBusy} onChange={() => setIsRead(!isRead)} />{' '}
          {labels.acknowledge}
        </label>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset looks like a form, and this has no style of its own */}
      <div data-part="answers" role="group" aria-label={labels.answers}>
        <button type="button" data-answer="reject" disabled={isBusy} onClick={onReject}>
          {labels.keepDenied}
        </button>
        {canOverride && (
          <button type="button" data-answer="override" disabled={isBusy || !canAllow || !isRead} onClick={onOverride}>
            {labels.override}
          </button>
        )}
      </div>
    </>
  );
}

/**
 * A call that waits for a person: what it would do, why it is held, whose words led to it, and the answers that the decision
 * allows. It has no styles: select its parts by `data-part`, its buttons by `data-answer`, and the whole by `data-outcome`.
 *
 * @example
 * ```tsx
 * const { calls, approve, reject, override } = useHeldCalls({ load, settle });
 * return calls.map((call) => (
 *   <HeldCall
 *     key={call.id}
 *     call={call}
 *     onApprove={(scope) => approve(call.id, scope)}
 *     onReject={() => reject(call.id)}
 *     onOverride={() => override(call.id)}
 *   />
 * ));
 * ```
 */
export function HeldCall({
  className,
  headingLevel = 3,
  approveDelay = APPROVE_DELAY,
  labels: given,
  ...props
}: HeldCallProps): ReactElement {
  const canAllow = useIsSettled(approveDelay);
  const { decision } = props.call;
  const labels = { ...LABELS, ...given };
  const title = useId();
  const isDenied = decision.outcome === 'deny';
  const Heading = `h${headingLevel}` as const;
  const Answers = isDenied ? Override : Approve;
  return (
    <section
      className={className}
      data-sallyport="held-call"
      data-outcome={decision.outcome}
      aria-labelledby={title}
      aria-busy={props.isBusy ?? false}
    >
      <Heading id={title} data-part="title">
        <Sentence>{(isDenied ? labels.denied : labels.asked)(<Name>{decision.call.tool}</Name>)}</Sentence>
      </Heading>
      <What call={props.call} labels={labels} />
      <p data-part="reason">
        <Untrusted>{decision.reason}</Untrusted>
      </p>
      {quotationsOf(decision.evidence).map((each) => (
        <Quoted key={JSON.stringify([each.source, each.pieces])} from={each} labels={labels} />
      ))}
      <Answers {...props} canAllow={canAllow} labels={labels} />
    </section>
  );
}
