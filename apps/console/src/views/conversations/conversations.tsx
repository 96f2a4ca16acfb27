import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { conversationsQuery } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { ConversationTable } from './conversation-table.tsx';
import { FILE, openFile } from './source.ts';

function FileButton(): ReactNode {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".jsonl,application/jsonl"
        aria-label="A recorded conversation"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file === undefined) return;
          openFile(file);
          void navigate({ to: '/conversations/$id', params: { id: FILE } });
        }}
      />
      <button type="button" className="button" onClick={() => input.current?.click()}>
        Open a file
      </button>
    </>
  );
}

/** The conversations of the workspace, or one from a file. */
export function Conversations(): ReactNode {
  const query = useQuery(conversationsQuery);
  return (
    <Page
      title="Conversations"
      about="What was read, what was called, and whose words became which argument."
      actions={<FileButton />}
    >
      <Loaded query={query}>
        {(conversations) => {
          if (conversations.length === 0)
            return (
              <EmptyNote title="No conversations yet">
                They appear here as soon as the gateway, or a hook of a coding agent, sees one. You can also open a
                recorded file: it stays in your browser.
              </EmptyNote>
            );
          return <ConversationTable conversations={conversations} />;
        }}
      </Loaded>
    </Page>
  );
}
