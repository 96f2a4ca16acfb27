import { type ReactNode, useState } from 'react';

interface NewSecretProps {
  readonly secret: string;
  readonly onDone: () => void;
}

/** The secret of a new key, once. */
export function NewSecret({ secret, onDone }: NewSecretProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <section className="panel key-form key-secret" aria-label="The new key">
      <h2>Copy the key now</h2>
      <p>It is shown once. The gateway keeps only a hash of it.</p>
      <code className="key-text">{secret}</code>
      <div className="row">
        <button
          type="button"
          className="button button-main"
          onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}
        >
          Copy
        </button>
        <button type="button" className="button" onClick={onDone}>
          Done
        </button>
        <span role="status">{isCopied ? 'Copied.' : ''}</span>
      </div>
    </section>
  );
}
