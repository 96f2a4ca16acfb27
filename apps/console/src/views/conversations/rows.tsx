import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Arrow } from './arrow.tsx';
import { CallRow } from './call-row.tsx';
import { focusWhenShown } from './focus.ts';
import { Followed } from './followed.tsx';
import type { CallEntry, RowEntry } from './record/entry.ts';
import type { Model } from './record/model.ts';
import { FIRST_LENGTH, TextRow } from './text-row.tsx';

const HEIGHT = 140;
const GAP = 10;
const NONE: readonly never[] = [];

interface RowsProps {
  readonly model: Model;
  /** Receives the list, so that the page can go to a row. */
  readonly onReady: (virtual: Virtualizer<Window, Element>) => void;
}

/** The entries that are in view. All others are only space. */
export function Rows({ model, onReady }: RowsProps): ReactNode {
  const { rows, placesIn, placeOf, indexOf } = model;
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState<string | undefined>();
  const [followed, setFollowed] = useState<string | undefined>();
  const [lengths, setLengths] = useState<ReadonlyMap<string, number>>(new Map());
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => HEIGHT,
    gap: GAP,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  useLayoutEffect(() => onReady(virtual), [virtual, onReady]);
  const onLength = useCallback(
    (id: string, length: number) => setLengths((known) => new Map(known).set(id, length)),
    [],
  );
  const goTo = useCallback(
    (entry: string, selector: string) => {
      virtual.scrollToIndex(indexOf.get(entry) ?? 0, { align: 'center' });
      focusWhenShown(selector);
    },
    [virtual, indexOf],
  );
  const onFollow = useCallback(
    (key: string) => {
      const found = placeOf.get(key);
      if (found === undefined || !indexOf.has(found.place.entry)) return;
      setFollowed(key);
      goTo(found.place.entry, '.place-active');
    },
    [placeOf, indexOf, goTo],
  );
  const shown = active ?? followed;
  const target = shown === undefined ? undefined : placeOf.get(shown);
  const followedCall = followed === undefined ? undefined : rows[indexOf.get(placeOf.get(followed)?.call ?? '') ?? -1];
  const row = (entry: RowEntry): ReactNode =>
    entry.type === 'text' ? (
      <TextRow
        entry={entry}
        places={placesIn.get(entry.id) ?? NONE}
        active={target?.place.entry === entry.id ? shown : undefined}
        length={lengths.get(entry.id) ?? FIRST_LENGTH}
        onLength={onLength}
      />
    ) : (
      <CallRow
        entry={entry}
        active={target?.call === entry.id ? shown : undefined}
        onPoint={setActive}
        onFollow={onFollow}
      />
    );
  return (
    <>
      <ol ref={list} className="rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {row(rows[index] as RowEntry)}
          </li>
        ))}
      </ol>
      {shown !== undefined && target !== undefined && (
        <Arrow active={shown} isAbove={(indexOf.get(target.place.entry) ?? 0) < (indexOf.get(target.call) ?? 0)} />
      )}
      {followedCall?.type === 'call' && (
        <Followed
          call={followedCall as CallEntry}
          onBack={() => {
            const key = followed as string;
            setFollowed(undefined);
            goTo(followedCall.id, `[data-value="${CSS.escape(key)}"]`);
          }}
        />
      )}
    </>
  );
}
