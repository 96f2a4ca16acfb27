import './policy.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { policyQuery } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { bodyIn, textOf } from './draft.ts';
import { Editor } from './editor.tsx';
import { History } from './history.tsx';
import { Observing } from './observing.tsx';
import { TableView } from './table-view.tsx';

/** The policy of the workspace: the calls that it allows, asks about and denies. */
export function Policy(): ReactNode {
  const query = useQuery(policyQuery);
  const [draft, setDraft] = useState<string | undefined>();
  const [restored, setRestored] = useState<number | undefined>();
  const editor = useRef<HTMLElement>(null);
  return (
    <Page title="Policy" about="What a call may do depends on whose words decide what it does.">
      <Loaded query={query}>
        {(policy) => {
          const text = draft ?? textOf(policy.body);
          const edited = bodyIn(text);
          const body = 'body' in edited ? edited.body : policy.body;
          return (
            <div className="sections">
              <section>
                <h2>{text === textOf(policy.body) ? 'The table that applies' : 'The table of your draft'}</h2>
                {policy.body.observe === true && <Observing />}
                <p className="muted">
                  Find the row of what the call can do, and the column of who wrote the value that decides, such as the
                  recipient. The cell says whether the call is made, a person is asked, or it is denied. Until something
                  that others wrote was read, every call is made, unless you have changed its cell. With the preset
                  balanced, a value that a request in content names is asked about wherever you have not changed the
                  cell.
                </p>
                <TableView body={body} onBody={(next) => setDraft(textOf(next))} />
              </section>
              <section ref={editor}>
                <h2>Edit as text</h2>
                <Editor
                  policy={policy}
                  draft={text}
                  restored={restored}
                  onDraft={(next) => {
                    setDraft(next);
                    setRestored(next === undefined ? undefined : restored);
                  }}
                />
              </section>
              <section>
                <h2>History</h2>
                <History
                  onRestore={(chosen) => {
                    setDraft(textOf(chosen.body));
                    setRestored(chosen.version);
                    editor.current?.scrollIntoView();
                  }}
                />
              </section>
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}
