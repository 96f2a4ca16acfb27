import './new-secret.css';
import { type ReactNode, useState } from 'react';

interface NewSecretProps {
  /** The kind of secret, such as `key`. */
  readonly of: string;
  readonly secret: string;
  /** One sentence about it. */
  readonly about: string;
  readonly onDone: () => void;
}

/** A new secret, once. */
export function NewSecret({ of, secret, about, onDone }: NewSecretProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <section className="panel new-secret" aria-label={`The new ${of}`}>
      <h2>Copy the {of} now</h2>
      <p>It is shown once. {about}</p>
      <code className="new-secret-text">{secret}</code>
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
