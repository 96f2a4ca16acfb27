import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client, read } from '../../api/client.ts';
import { keysQuery } from '../../api/queries.ts';
import type { NewKey, Scope } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';
import { SCOPES } from './scopes.ts';

const DAY = 86_400_000;
const TERMS = { '30': '30 days', '90': '90 days', '365': 'a year', '': 'never' } as const;

interface CreateKeyProps {
  readonly onCreated: (key: NewKey) => void;
  readonly onCancel: () => void;
}

function bodyOf(form: HTMLFormElement) {
  const data = new FormData(form);
  const days = String(data.get('days'));
  return {
    principal: String(data.get('principal')).trim(),
    label: String(data.get('label')).trim(),
    scopes: data.getAll('scopes') as Scope[],
    ...(days === '' ? {} : { expires: new Date(Date.now() + Number(days) * DAY).toISOString() }),
  };
}

export function CreateKey({ onCreated, onCancel }: CreateKeyProps): ReactNode {
  const queries = useQueryClient();
  const [isEmpty, setEmpty] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: ReturnType<typeof bodyOf>) => read(client.POST('/api/v1/keys', { body })),
    onSuccess: (key) => {
      onCreated(key);
      return queries.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const body = bodyOf(event.currentTarget);
    setEmpty(body.scopes.length === 0);
    if (body.scopes.length > 0) mutate(body);
  };
  return (
    <form className="panel key-form" onSubmit={onSubmit}>
      <h2>New key</h2>
      <div className="key-fields">
        <label className="label">
          <span>Label, for people</span>
          {/* biome-ignore lint/a11y/noAutofocus: the person has just asked for this form */}
          <input type="text" name="label" required maxLength={256} autoFocus />
        </label>
        <label className="label">
          <span>Principal: the person or agent that uses it</span>
          <input type="text" name="principal" required maxLength={256} />
        </label>
        <label className="label">
          <span>Expires after</span>
          <select name="days" defaultValue="90">
            {Object.entries(TERMS).map(([days, name]) => (
              <option key={days} value={days}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset className="key-scopes">
        <legend className="small muted">Scopes</legend>
        {SCOPES.map(({ scope, about }) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'mcp'} /> <code>{scope}</code>{' '}
            <span className="small muted">{about}</span>
          </label>
        ))}
      </fieldset>
      {isEmpty && <p role="alert">Choose at least one scope.</p>}
      {error !== null && <Failure cause={error} />}
      <div className="row">
        <button type="submit" className="button button-main" disabled={isPending}>
          Create
        </button>
        <button type="button" className="button button-plain" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
