// A terminal in tmux, in which commands run.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../command.mjs';

let count = 0;

function tmuxAt(socket, args) {
  try {
    return execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' });
  } catch (error) {
    if (error.code === 'ENOENT') fail('tmux is not installed', 'apt-get install tmux', 2);
    throw error;
  }
}

/**
 * @param {{ columns: number, rows: number, env: Record<string, string>, cwd: string }} options
 */
export function openTerminal({ columns, rows, env, cwd }) {
  // A server per terminal: one that starts under the name of a server that is ending would end with it.
  const socket = `sallyport-draw-${process.pid}-${++count}`;
  const tmux = (...args) => tmuxAt(socket, args);
  // Passed again through `env`: the shell that tmux starts first may change PATH.
  const variables = Object.entries({ ...env, TERM: 'xterm-256color' }).map(([name, value]) => `${name}=${value}`);
  tmux(
    'new-session',
    '-d',
    '-s',
    'draw',
    '-x',
    String(columns),
    '-y',
    String(rows),
    '-c',
    cwd,
    'env',
    ...variables,
    'sh',
  );
  const close = () => tmux('kill-server');
  process.once('exit', close);
  const capture = (...flags) => tmux('capture-pane', '-t', 'draw', '-p', ...flags);
  return {
    type: (text) => tmux('send-keys', '-t', 'draw', '-l', text),
    enter: () => tmux('send-keys', '-t', 'draw', 'Enter'),
    /** Waits until the screen shows a text. */
    async see(text) {
      for (let tries = 0; tries < 300; tries++) {
        if (capture().includes(text)) return;
        await pause(100);
      }
      fail(`the terminal did not show "${text}" in time:\n${capture()}`, 'run the command by hand', 1);
    },
    capture: () => capture('-e'),
    close() {
      process.off('exit', close);
      close();
    },
  };
}
