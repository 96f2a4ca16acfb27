import { createRequire } from 'node:module';
import type { Io } from '../io.ts';
import { settingsFor } from '../settings.ts';
import { shortPath } from '../short-path.ts';
import { settingsFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';
import { createFile, load, store } from './store.ts';

/** What happens to a call that the policy would ask about or deny: a person is asked, or it is only logged. */
export type Mode = 'observe' | 'ask';

/** The mode in the user's settings; undefined if they do not say. */
export function modeIn({ environment }: Io): Mode | undefined {
  const { observe } = settingsFor('', undefined, environment);
  return observe === undefined ? undefined : observe ? 'observe' : 'ask';
}

const QUESTION = `
How should sallyport begin?
  w  watch for a week, ask nothing (recommended)
  a  ask from now on
Begin with`;

/** The words of the command line that choose a mode, or leave it. */
interface ModeOptions {
  readonly observe?: boolean;
  readonly ask?: boolean;
  readonly yes?: boolean;
  readonly undo?: boolean;
}

/** The mode that an option names. */
export function modeGiven({ observe, ask }: ModeOptions): Mode | undefined {
  if (ask) return 'ask';
  return observe ? 'observe' : undefined;
}

/** The mode that an option names or, the first time at a terminal, a person: Enter means the recommended one. Undefined to leave it. */
export async function chosenMode(io: Io, options: ModeOptions): Promise<Mode | undefined> {
  const given = modeGiven(options);
  const isOpen = io.isTerminal && options.yes !== true && options.undo !== true && modeIn(io) === undefined;
  if (given !== undefined || !isOpen) return given;
  return (await io.choose(QUESTION, ['a', 'w'])) === 'a' ? 'ask' : 'observe';
}

/** Writes the mode into the user's settings, for all hosts and servers that have none of their own. */
export async function writeMode(io: Io, mode: Mode): Promise<void> {
  if (modeIn(io) === mode) return;
  const path = settingsFile(io.environment);
  const loaded = await load(path);
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const before = loaded.type === 'loaded' ? loaded.text : '';
  const document = parseDocument(before);
  document.setIn(['defaults', 'observe'], mode === 'observe');
  const after = String(document);
  const written =
    loaded.type === 'loaded'
      ? await store({ path: loaded.path, before, after, backup: 'leave' })
      : await createFile(path, after);
  if (written.type === 'refused')
    throw new CommandError(
      `cannot write ${shortPath(path, io)}: ${written.reason}.`,
      `set observe: ${mode === 'observe'} under defaults there yourself.`,
    );
  io.stdout(`wrote ${shortPath(path, io)}\n`);
}

/** What the mode means, and how to change it. `command` starts sallyport. */
export function modeText(mode: Mode | undefined, command: string): string {
  return mode === 'observe'
    ? `Sallyport only watches: it logs what it would ask, and asks nothing. After a week, see what that was, then switch asking on:\n  ${command} log --summary\n  ${command} init --ask\n`
    : `Sallyport asks from now on. To only watch:\n  ${command} init --observe\n`;
}
