import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** The programs that open an address. None of them is a shell, which would read parts of the address as commands. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Checks that the user would see a browser. `SALLYPORT_BROWSER` decides: `none` says no, a program yes, even in CI. */
export function hasBrowser(environment: Environment, platform: NodeJS.Platform): boolean {
  const { SALLYPORT_BROWSER, BROWSER, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION, CI } = environment;
  if (SALLYPORT_BROWSER) return SALLYPORT_BROWSER !== 'none';
  if (CI) return false;
  if (BROWSER) return true;
  if (SSH_CONNECTION) return false;
  return platform === 'darwin' || platform === 'win32' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/** Opens an address in the user's browser. The address is printed too, so a failure needs no message. */
export function openBrowser(url: URL, environment: Environment, platform: NodeJS.Platform): void {
  const named = environment.SALLYPORT_BROWSER || environment.BROWSER;
  const [program, ...args] = named ? [named] : (OPENERS[platform] ?? ['xdg-open']);
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true, windowsHide: true });
  child.on('error', () => undefined);
  child.unref();
}
