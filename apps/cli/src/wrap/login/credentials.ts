import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { loginCommand, loginName } from '../../address.ts';
import type { Io } from '../../io.ts';
import { loginFolder } from '../../state.ts';
import { CommandError, printable } from '../../terminal-text.ts';
import type { Credentials } from '../remote/remote.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { readChallenge } from './challenge.ts';
import { type Login, LoginFiles } from './login-files.ts';

/** Milliseconds that the first request waits for a login: many clients give up after 60 seconds. */
const WAIT = 45_000;
/** Milliseconds in which refusals are about the token before a renewal. */
const RECENT = 5000;
/** Milliseconds until a login that is not completed is given up. */
export const LOGIN_TIMEOUT = 300_000;

function loginNeeded(url: URL, about = 'This server needs a login'): UpstreamError {
  return new UpstreamError('credentials', `${about}: run \`${loginCommand(url)}\`, then try again.`);
}

/** The credentials for one server: fixed headers, or the tokens of a login. */
export class LoginCredentials implements Credentials {
  readonly #url: URL;
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #io: Io;
  readonly #files: LoginFiles;
  #used: string | undefined;
  #renewedAt = 0;
  #renewing: Promise<boolean> | undefined;

  constructor(url: URL, fixed: Readonly<Record<string, string>>, io: Io) {
    this.#url = url;
    this.#fixed = fixed;
    this.#io = io;
    this.#files = new LoginFiles(loginFolder(io.environment));
  }

  async headers(): Promise<Record<string, string>> {
    if (this.#fixed.authorization !== undefined) return { ...this.#fixed };
    this.#used ??= this.#stored()?.tokens.access_token;
    return this.#used === undefined ? { ...this.#fixed } : { ...this.#fixed, authorization: `Bearer ${this.#used}` };
  }

  renew(challenge: string): Promise<boolean> {
    if (this.#fixed.authorization !== undefined)
      throw new UpstreamError('credentials', 'The server refused the header Authorization: check its value.');
    this.#renewing ??= this.#renew(challenge).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #stored(): Login | undefined {
    try {
      return this.#files.read(loginName(this.#url));
    } catch (cause) {
      if (!(cause instanceof CommandError)) throw cause;
      throw new UpstreamError('credentials', `${cause.message} Next: ${cause.next}`);
    }
  }

  async #renew(challenge: string): Promise<boolean> {
    // The refused request was sent with the token before this one.
    if (Date.now() - this.#renewedAt < RECENT) return true;
    const refused = this.#used;
    const login = (await this.#renewed(refused)) ?? (await this.#loggedIn(challenge));
    this.#used = login.tokens.access_token;
    this.#renewedAt = Date.now();
    return this.#used !== refused;
  }

  /** The tokens that another process got meanwhile, or new ones. */
  async #renewed(refused: string | undefined): Promise<Login | undefined> {
    const name = loginName(this.#url);
    if (this.#stored() === undefined) return undefined;
    return this.#files.exclusively(name, async () => {
      const login = this.#stored();
      if (login === undefined || login.tokens.access_token !== refused) return login;
      const { renewed } = await import('./authorize.ts');
      const next = await renewed(this.#url, login);
      if (next !== undefined) this.#files.write(name, next);
      return next;
    });
  }

  /** Logs in with the browser. The request waits for a while; the login itself may take longer. */
  async #loggedIn(challenge: string): Promise<Login> {
    const { environment, platform, stderr } = this.#io;
    if (!hasBrowser(environment, platform)) throw loginNeeded(this.#url);
    const name = loginName(this.#url);
    const release = await this.#files.claimBrowser(name, LOGIN_TIMEOUT);
    if (release === undefined) throw loginNeeded(this.#url, 'A login of this server is open in the browser');
    const { authorize } = await import('./authorize.ts');
    const done = authorize({
      url: this.#url,
      challenge: readChallenge(challenge, this.#url),
      signal: AbortSignal.timeout(LOGIN_TIMEOUT),
      show: (page) => {
        stderr(`sallyport: log in at ${printable(page.href, 4000)}\n`);
        openBrowser(page, environment, platform);
      },
    })
      .then((login) => {
        this.#files.write(name, login);
        return login;
      })
      .finally(release);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(loginNeeded(this.#url, 'The login in the browser is not complete')), WAIT);
    });
    done.catch(() => undefined);
    try {
      return await Promise.race([done, late]);
    } catch (cause) {
      if (!(cause instanceof CommandError)) throw cause;
      throw new UpstreamError('credentials', `${cause.message} Next: ${cause.next}`);
    } finally {
      clearTimeout(timer);
    }
  }
}
