import { type ReactNode, useId, useState } from 'react';

interface RejectFormProps {
  readonly onReject: (note: string) => void;
  readonly onCancel: () => void;
}

const MAX_NOTE = 1000;
const UNSEEN = /\p{C}+/gu;

/** Asks for a reason, which may be left out. */
export function RejectForm({ onReject, onCancel }: RejectFormProps): ReactNode {
  const id = useId();
  const [note, setNote] = useState('');
  return (
    <form
      className="card-form"
      onSubmit={(event) => {
        event.preventDefault();
        onReject(note.replace(UNSEEN, ' ').trim());
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <label className="label" htmlFor={id}>
        <span>Why? The note is kept in the audit. You can leave it out.</span>
        <input
          id={id}
          type="text"
          value={note}
          maxLength={MAX_NOTE}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
          autoFocus
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <div className="row">
        <button type="submit" className="button button-bad">
          Reject
        </button>
        <button type="button" className="button button-plain" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
