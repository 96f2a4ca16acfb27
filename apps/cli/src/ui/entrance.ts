import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const COOKIE = 'sallyport-ui';

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** Takes as long for a wrong text as for the right one. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/**
 * Lets one browser in, by a link that works once. Programs of the same user, an agent among them, may see the link when the browser
 * is started: if it is used twice, the first browser is shut out as well.
 */
export class Entrance {
  readonly #code = randomText();
  #session: string | undefined;
  #isClosed = false;

  /** The link for the browser. */
  link(origin: string): string {
    return `${origin}/enter?code=${this.#code}`;
  }

  /** The cookie for the browser that has the code; undefined if the code is wrong or was used before. */
  enter(code: string): string | undefined {
    if (!isSame(code, this.#code) || this.#isClosed) return undefined;
    if (this.#session !== undefined) {
      this.close();
      return undefined;
    }
    this.#session = randomText();
    return `${COOKIE}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Recognizes requests of the browser that was let in. */
  isInside({ headers }: Request): boolean {
    const cookies = (headers.get('cookie') ?? '').split(/; */);
    const given = cookies.find((each) => each.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
    return this.#session !== undefined && isSame(given, this.#session);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the session. The link does not work any more. */
  close(): void {
    this.#isClosed = true;
    this.#session = undefined;
  }
}
