import { openSalted, type SaltedBinding, sealSalted } from '../../seal.ts';

export interface SessionOwner {
  readonly workspace: string;
  readonly principal: string;
  readonly server: string;
}

/** The contents of a session. They are sealed in the session id, so replicas store nothing. */
export interface SessionContent {
  /** The server's own session id, if it returned one. */
  readonly upstream?: string;
  /** Set if the client declared that it can show a form. */
  readonly canElicit: boolean;
}

const PREFIX = 'sp1.';
const KEY_BYTES = 32;
const MAX_CONTENT_LENGTH = 2048;
const MAX_ID_LENGTH = 4096;

/** JSON, so that two different owners never yield the same bytes. The id does not contain them: the opener must know them. */
function bindingOf({ workspace, principal, server }: SessionOwner): SaltedBinding {
  const context = Buffer.from(JSON.stringify(['sallyport/session', 1, workspace, principal, server]));
  return { purpose: 'sallyport/session/1', context };
}

function contentIn(text: string): SessionContent | undefined {
  const content = JSON.parse(text) as { readonly upstream?: unknown; readonly canElicit?: unknown };
  const { upstream, canElicit } = content;
  if (typeof canElicit !== 'boolean') return undefined;
  return { canElicit, ...(typeof upstream === 'string' ? { upstream } : {}) };
}

/** Seals and opens the gateway's `Mcp-Session-Id`. */
export class Sessions {
  readonly #keys: readonly Uint8Array[];

  /** The first key seals; all of them open. */
  constructor(keys: readonly Uint8Array[]) {
    if (keys.length === 0 || keys.some(({ length }) => length < KEY_BYTES))
      throw new TypeError('Each session key must have at least 32 bytes: create one with `openssl rand -hex 32`.');
    this.#keys = keys;
  }

  seal(owner: SessionOwner, content: SessionContent): string {
    const text = JSON.stringify({ upstream: content.upstream, canElicit: content.canElicit });
    if (Buffer.byteLength(text) > MAX_CONTENT_LENGTH)
      throw new TypeError(`The server's session id is too long: at most ${MAX_CONTENT_LENGTH} bytes can be stored.`);
    return PREFIX + sealSalted(text, this.#keys, bindingOf(owner)).toString('base64url');
  }

  /** The content of a session id. Undefined if the gateway did not issue the id, or issued it to another owner. */
  open(id: string, owner: SessionOwner): SessionContent | undefined {
    if (!id.startsWith(PREFIX) || id.length > MAX_ID_LENGTH) return undefined;
    const bytes = Buffer.from(id.slice(PREFIX.length), 'base64url');
    // Each session has exactly one id: the decoder ignores foreign characters and the spare bits of the last one.
    if (PREFIX + bytes.toString('base64url') !== id) return undefined;
    const text = openSalted(bytes, this.#keys, bindingOf(owner));
    return text === undefined ? undefined : contentIn(text);
  }
}
