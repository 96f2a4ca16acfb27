// A terminal of a person: runs a program in tmux, shows what is on its screen, and types.
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, run } from '../../command.mjs';

const socket = `sallyport-hosts-${process.pid}`;
const tmux = (...args) => run('tmux', ['-L', socket, '-f', '/dev/null', ...args]);

export async function requireTmux() {
  const found = await run('tmux', ['-V']).catch(() => undefined);
  if (found?.code !== 0) fail('tmux is not installed', 'install it: apt-get install tmux', 2);
  process.on('exit', () => spawnSync('tmux', ['-L', socket, 'kill-server']));
}

/** Starts a program in a terminal of its own, and ends it once `work` has ended. */
export async function inTerminal([program, ...args], cwd, work) {
  const started = await tmux(
    ...['new-session', '-d', '-P', '-F', '#{session_id}', '-x', '110', '-y', '60', '-c', cwd, '--'],
    ...[program, ...args],
    ...[';', 'set-option', 'remain-on-exit', 'on'],
  );
  const session = started.output.trim();
  if (started.code !== 0) throw new Error(`tmux did not start ${program}: ${started.output}`);
  const screen = async () => (await tmux('capture-pane', '-p', '-S', '-50', '-t', session)).output.replace(/\s+$/, '');
  const type = (...keys) => tmux('send-keys', '-t', session, ...keys);

  /** Waits until the screen matches, and returns it. */
  async function waitFor(pattern, seconds = 120) {
    let shown = '';
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(200)) {
      shown = await screen();
      if (pattern.test(shown)) return shown;
    }
    throw new Error(`the terminal does not show ${pattern} within ${seconds} s; it shows:\n${shown}`);
  }

  try {
    return await work({ screen, type, waitFor });
  } finally {
    await tmux('kill-session', '-t', session);
  }
}
