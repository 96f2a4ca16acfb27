import type { ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { type CallValue, valueKey } from './record/entry.ts';

const TRUST: Readonly<Record<string, string>> = {
  vouched: 'from the user or a trusted source',
  own: "the model's own",
  open: 'from content that others wrote',
  requested: 'from a request in content that others wrote',
  suspect: 'from text that may be an instruction to the model',
  flagged: 'from an instruction to the model',
};

const MAX_VALUE = 300;

interface ValueRowProps {
  readonly call: string;
  readonly value: CallValue;
  readonly active: string | undefined;
  readonly onPoint: (key: string | undefined) => void;
  readonly onFollow: (key: string) => void;
}

/** One value of a call. Point at it to see where its words come from; press it to go there. */
export function ValueRow({ call, value, active, onPoint, onFollow }: ValueRowProps): ReactNode {
  const { path, value: text, trust, place } = value;
  const key = valueKey(call, path);
  const shown = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}\u2026` : text;
  return (
    <div>
      <dt>
        <code>
          <Inert text={path.slice(1)} />
        </code>
      </dt>
      <dd>
        {place === undefined ? (
          <LongText text={text} length={MAX_VALUE} />
        ) : (
          <button
            type="button"
            className={active === key ? 'value value-active' : 'value'}
            data-value={key}
            onPointerEnter={() => onPoint(key)}
            onPointerLeave={() => onPoint(undefined)}
            onFocus={() => onPoint(key)}
            onBlur={() => onPoint(undefined)}
            onClick={() => onFollow(key)}
          >
            <Inert text={shown} />
            <span className="hidden-text">: go to the words it comes from</span>
          </button>
        )}{' '}
        <span className={`trust trust-${trust in TRUST ? trust : 'open'}`}>
          <Inert text={TRUST[trust] ?? trust} />
        </span>
      </dd>
    </div>
  );
}
