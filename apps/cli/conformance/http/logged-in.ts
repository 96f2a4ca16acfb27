// The OAuth front, and a login there with `sallyport login`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../tools/command.mjs';
import { browser, CLI } from '../target.ts';
import { type Front, startFront } from './oauth.ts';

export interface LoggedIn {
  readonly front: Front;
  /** The folder of the login. */
  readonly logins: string;
  close(): Promise<void>;
}

/** Starts the front and logs in, with a browser that a program operates. */
export async function logIn(): Promise<LoggedIn> {
  const front = await startFront();
  const logins = mkdtempSync(join(tmpdir(), 'sallyport-logins-'));
  const env = { ...process.env, SALLYPORT_LOGINS: logins, SALLYPORT_BROWSER: browser };
  const { code, output } = await run(process.execPath, [CLI, 'login', front.address(1)], { env });
  if (code !== 0) throw new Error(`the login ended with ${code}: ${output}`);
  return {
    front,
    logins,
    close: async () => {
      await front.close();
      rmSync(logins, { recursive: true, force: true });
    },
  };
}
