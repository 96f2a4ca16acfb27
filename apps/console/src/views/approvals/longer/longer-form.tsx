import { type ReactNode, useId, useState } from 'react';
import type { Approval } from '../../../api/types.ts';
import { type Choice, choicesFor } from './choices.ts';
import { Coverage } from './coverage.tsx';

interface LongerFormProps {
  readonly approval: Approval;
  readonly onApprove: (choice: Choice) => void;
  readonly onCancel: () => void;
}

/** Asks for how long later calls are approved too, and says what that means. */
export function LongerForm({ approval, onApprove, onCancel }: LongerFormProps): ReactNode {
  const id = useId();
  const choices = choicesFor(approval);
  const [chosen, setChosen] = useState(0);
  const choice = choices[chosen] ?? choices[0];
  if (choice === undefined) return null;
  return (
    <form
      className="card-form"
      onSubmit={(event) => {
        event.preventDefault();
        onApprove(choice);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <label className="label" htmlFor={id}>
        <span>Approve this call and later ones</span>
        <select
          id={id}
          value={chosen}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
          autoFocus
          onChange={({ target }) => setChosen(Number(target.value))}
        >
          {choices.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Coverage approval={approval} choice={choice} />
      <div className="row">
        <button type="submit" className="button button-main">
          Approve for longer
        </button>
        <button type="button" className="button button-plain" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
