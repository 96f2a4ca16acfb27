import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { webhooksQuery } from '../../api/queries.ts';
import type { Webhook } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';

const FORMATS: Readonly<Record<Webhook['format'], string>> = {
  json: 'JSON, for a program',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

interface AddWebhookProps {
  readonly onAdded: (secret: string) => void;
  readonly onCancel: () => void;
}

export function AddWebhook({ onAdded, onCancel }: AddWebhookProps): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ name, ...body }: { name: string; url: string; format: Webhook['format'] }) =>
      read(client.PUT('/api/v1/webhooks/{name}', { params: { path: { name } }, body })),
    onSuccess: ({ secret }) => {
      onAdded(secret);
      return queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const textOf = (name: string): string => String(data.get(name)).trim();
    mutate({ name: textOf('name'), url: textOf('url'), format: textOf('format') as Webhook['format'] });
  };
  return (
    <form className="panel webhook-form" onSubmit={onSubmit}>
      <h2>New webhook</h2>
      <div className="webhook-fields">
        <label className="label">
          <span>Name: a-z, 0-9 and hyphens</span>
          {/* biome-ignore lint/a11y/noAutofocus: the person has just asked for this form */}
          <input type="text" name="name" required maxLength={40} pattern="[a-z0-9\-]{1,40}" autoFocus />
        </label>
        <label className="label">
          <span>Address, which is kept as a secret</span>
          <input type="text" inputMode="url" name="url" required maxLength={2000} autoComplete="off" />
        </label>
        <label className="label">
          <span>Format</span>
          <select name="format" defaultValue="json">
            {Object.entries(FORMATS).map(([format, name]) => (
              <option key={format} value={format}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error !== null && <Failure cause={error} />}
      <div className="row">
        <button type="submit" className="button button-main" disabled={isPending}>
          Add
        </button>
        <button type="button" className="button button-plain" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
