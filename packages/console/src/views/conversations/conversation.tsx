import './conversation.css';
import { Link, useParams } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useMe } from '../../api/identity.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loading } from '../../parts/loading.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Correcting } from '../corrections/correcting.tsx';
import { modelOf } from './model.ts';
import { Rows } from './rows.tsx';
import { FILE, type LoadedConversation, useConversation } from './source.ts';

function Note({ loaded: { entries, unread, isComplete, error } }: { readonly loaded: LoadedConversation }): ReactNode {
  if (error !== undefined) return <Failure cause={error} />;
  if (entries.length === 0 && !isComplete) return <Loading />;
  if (entries.length === 0)
    return (
      <EmptyNote title="Nothing to show">
        {unread > 0 ? 'The file holds no conversation.' : 'Open the file again: it is not kept.'}
      </EmptyNote>
    );
  return unread > 0 && <p className="muted">{unread} lines could not be read.</p>;
}

/** One conversation: whose words became which action. */
export function Conversation(): ReactNode {
  const { id } = useParams({ from: '/conversations/$id' });
  const { isLocal } = useMe();
  const loaded = useConversation(id);
  const model = useMemo(() => modelOf(loaded.entries), [loaded.entries]);
  const list = useRef<Virtualizer<Window, Element> | undefined>(undefined);
  const onReady = useCallback((virtual: Virtualizer<Window, Element>) => {
    list.current = virtual;
  }, []);
  const goToStop = (): void => {
    const virtual = list.current;
    if (virtual === undefined) return;
    const middle = (virtual.scrollOffset ?? 0) + innerHeight / 2;
    const current = virtual.getVirtualItemForOffset(middle)?.index ?? 0;
    const next = model.stops.find((index) => index > current) ?? model.stops[0];
    if (next !== undefined) virtual.scrollToIndex(next, { align: 'center' });
  };
  const { rows, calls, stops, isCut } = model;
  return (
    <Page
      title="Conversation"
      about={`${(rows.length - calls).toLocaleString('en')} texts, ${calls.toLocaleString('en')} calls, ${stops.length} of them asked about or denied.${isCut ? ' Older entries are not kept.' : ''}`}
      actions={
        <>
          {stops.length > 0 && (
            <button type="button" className="button" onClick={goToStop}>
              Next asked or denied
            </button>
          )}
          <Link to="/conversations" className="button">
            All conversations
          </Link>
        </>
      }
    >
      <Note loaded={loaded} />
      {rows.length > 0 &&
        (id === FILE || isLocal === true ? (
          <Rows model={model} onReady={onReady} />
        ) : (
          <Correcting id={id}>
            <Rows model={model} onReady={onReady} />
          </Correcting>
        ))}
    </Page>
  );
}
