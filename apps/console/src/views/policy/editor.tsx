import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { client, read } from '../../api/client.ts';
import { policyQuery } from '../../api/queries.ts';
import type { Policy, PolicyBody } from '../../api/types.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Inert } from '../../parts/inert.tsx';
import { bodyIn, textOf } from './draft.ts';
import { DryRunPanel } from './dry-run.tsx';

interface EditorProps {
  readonly policy: Policy;
  readonly draft: string;
  /** The version whose body the draft was. */
  readonly restored: number | undefined;
  readonly onDraft: (text: string | undefined) => void;
}

/** The policy as text, what changes in it, and what that would have changed. */
export function Editor({ policy, draft, restored, onDraft }: EditorProps): ReactNode {
  const id = useId();
  const queries = useQueryClient();
  const current = textOf(policy.body);
  const edited = bodyIn(draft);
  const body = 'body' in edited ? edited.body : undefined;
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: (next: PolicyBody) =>
      read(client.PUT('/api/v1/policy', { body: { version: policy.version, body: next } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: policyQuery.queryKey });
      onDraft(undefined);
    },
  });
  const isEdited = draft !== current;
  return (
    <div className="policy-editor">
      <label htmlFor={id} className="small muted">
        Version {policy.version}, as JSON
      </label>
      <textarea
        id={id}
        className="code"
        rows={Math.min(24, Math.max(8, draft.split('\n').length + 1))}
        spellCheck={false}
        value={draft}
        onChange={({ target }) => onDraft(target.value)}
      />
      {'wrong' in edited && (
        <p role="alert">
          <Inert text={edited.wrong} />
        </p>
      )}
      {isEdited && restored !== undefined && (
        <p>
          Apply puts version {restored} back as a new version. This is what changes, and what it would have changed:
        </p>
      )}
      {isEdited && body !== undefined && <DiffView before={current} after={textOf(body)} label="Your changes" />}
      {isEdited && <DryRunPanel key={restored} body={body} isAtOnce={restored !== undefined} />}
      {error !== null && <Failure cause={error} />}
      <p role="status" className="saved">
        {isSuccess && !isEdited ? `Version ${policy.version} applies.` : ''}
      </p>
      {isEdited && (
        <div className="row">
          <button
            type="button"
            className="button button-main"
            disabled={body === undefined || isPending}
            onClick={() => body !== undefined && mutate(body)}
          >
            Apply
          </button>
          <button type="button" className="button button-plain" onClick={() => onDraft(undefined)}>
            Discard
          </button>
        </div>
      )}
    </div>
  );
}
