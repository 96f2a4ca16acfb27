import { spawn } from 'node:child_process';
import { printable } from './terminal-text.ts';

const TITLE = 'Sallyport';
const MAX_LENGTH = 300;
/** Milliseconds between two notifications: an agent may make many calls. */
const PAUSE_MS = 10_000;

/** The variables that such a program needs. Those of a server may hold its passwords. */
const KEPT = ['HOME', 'PATH', 'LANG', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

/** The program that shows a notification, and its arguments. */
type Program = readonly [string, ...(readonly string[])];

/** Desktops read the text as markup. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text is an argument of the script and never a part of it. */
const SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

function programFor(text: string, { platform, environment }: Desktop): Program | undefined {
  if (platform === 'darwin') return ['osascript', ...SCRIPT.flatMap((line) => ['-e', line]), TITLE, text];
  const hasDesktop = Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
  if (platform !== 'linux' || !hasDesktop) return undefined;
  return ['notify-send', `--app-name=${TITLE}`, '--', TITLE, withoutMarkup(text)];
}

/** Where notifications are shown. */
export interface Desktop {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Shows a text on the desktop, if there is one: at most one in ten seconds. It neither waits nor fails. */
export function notifier(desktop: Desktop, clock: () => number = Date.now): (text: string) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (text) => {
    const program = programFor(printable(text, MAX_LENGTH), desktop);
    if (program === undefined || clock() < shownAt + PAUSE_MS) return;
    shownAt = clock();
    const [file, ...given] = program;
    const env = Object.fromEntries(KEPT.map((name) => [name, desktop.environment[name]]));
    try {
      // Not every system has the program: then nothing is shown.
      spawn(file, given, { stdio: 'ignore', env })
        .on('error', () => undefined)
        .unref();
    } catch {
      // Not even a process could be started. The call waits for its answer all the same.
    }
  };
}
