import './conversation.css';
import { Link, useParams } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { mayUse, useMe } from '../../api/identity.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loading } from '../../parts/loading.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { countOf } from '../../parts/words/count.ts';
import { Correcting } from '../corrections/correcting.tsx';
import { Compare, type OtherPolicy } from './compare.tsx';
import { type Model, modelOf } from './record/model.ts';
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
  return unread > 0 && <p className="muted">{countOf(unread, 'line')} could not be read.</p>;
}

function aboutOf({ rows, calls, held, different, isCut }: Model, other: OtherPolicy | undefined): string {
  const counts = `${countOf(rows.length - calls, 'text')}, ${countOf(calls, 'call')}, ${held} of them asked about or denied.`;
  const compared =
    other === undefined || different === undefined
      ? ''
      : ` Under ${other.name}, ${different} would be decided differently.`;
  return `${counts}${compared}${isCut ? ' Older entries are not kept.' : ''}`;
}

/** The name that the client gave to a conversation, which is in its id. */
function nameIn(id: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(id.replace(/-/g, '+').replace(/_/g, '/')), (each) => each.charCodeAt(0));
    const [, name] = JSON.parse(new TextDecoder().decode(bytes)) as unknown[];
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** One conversation: whose words became which action. */
export function Conversation(): ReactNode {
  const { id } = useParams({ from: '/conversations/$id' });
  const me = useMe();
  const [other, setOther] = useState<OtherPolicy | undefined>();
  const isRecorded = id !== FILE && me.isLocal !== true;
  const loaded = useConversation(id, other?.body);
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
  const { rows, stops } = model;
  return (
    <Page
      title="Conversation"
      name={isRecorded ? nameIn(id) : undefined}
      about={aboutOf(model, other)}
      actions={
        <>
          {isRecorded && mayUse(me, ['policy']) && <Compare other={other} onOther={setOther} />}
          {stops.length > 0 && (
            <button type="button" className="button" onClick={goToStop}>
              {other === undefined ? 'Next asked or denied' : 'Next asked, denied or different'}
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
        (isRecorded ? (
          <Correcting id={id}>
            <Rows model={model} onReady={onReady} />
          </Correcting>
        ) : (
          <Rows model={model} onReady={onReady} />
        ))}
    </Page>
  );
}
