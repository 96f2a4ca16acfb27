import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useMe } from '../../api/identity.ts';
import type { Approval } from '../../api/types.ts';
import { useStable } from '../../parts/stable.ts';
import type { GivenAnswer } from './answer.ts';
import { Card, type CardForm, type CardHandlers } from './card.tsx';
import { useKeys } from './keys.ts';
import { choicesFor, grantOf } from './longer/choices.ts';
import { whyNot } from './may-answer.ts';
import { useSelection } from './selection.ts';
import { useStillness } from './stillness.ts';

const HEIGHT = 300;
const GAP = 12;

interface ListProps {
  readonly approvals: readonly Approval[];
  readonly onAnswer: (answer: GivenAnswer) => void;
}

/** The cards that are in view. All others are only space. */
export function List({ approvals, onAnswer }: ListProps): ReactNode {
  const me = useMe();
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const [open, setOpen] = useState<{ readonly id: string; readonly form: CardForm } | undefined>();
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: approvals.length,
    estimateSize: () => HEIGHT,
    gap: GAP,
    overscan: 4,
    scrollMargin: top,
    scrollPaddingStart: GAP,
    scrollPaddingEnd: GAP,
    getItemKey: (index) => approvals[index]?.id ?? index,
  });
  const selection = useSelection(approvals, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const isStill = useStillness(useMemo(() => approvals.map(({ id }) => id), [approvals]));
  const selected = approvals[selection.index];
  const canAnswer = selected !== undefined && whyNot(selected, me) === undefined;
  useKeys({
    j: () => selection.move(1),
    k: () => selection.move(-1),
    a: () => {
      if (canAnswer && selection.isSettled()) onAnswer({ id: selected.id, answer: 'approved' });
    },
    l: () => {
      if (canAnswer && choicesFor(selected).length > 0) setOpen({ id: selected.id, form: 'longer' });
    },
    r: () => {
      if (canAnswer) setOpen({ id: selected.id, form: 'reject' });
    },
  });
  const handlers = useStable<CardHandlers>({
    onSelect: selection.select,
    onOpen: (id, form) => setOpen(form && { id, form }),
    onApprove(id, choice) {
      if (!isStill()) return;
      setOpen(undefined);
      onAnswer({ id, answer: 'approved', ...(choice && grantOf(choice, me)) });
    },
    onReject(id, note) {
      setOpen(undefined);
      onAnswer({ id, answer: 'denied', ...(note === '' ? {} : { note }) });
    },
  });
  return (
    <ul ref={list} className="cards" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const approval = approvals[index] as Approval;
        const { id } = approval;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={approvals.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <Card
              approval={approval}
              isSelected={index === selection.index}
              form={open?.id === id ? open.form : undefined}
              handlers={handlers}
            />
          </li>
        );
      })}
    </ul>
  );
}
