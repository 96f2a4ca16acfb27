import { fitLines } from '../fit-lines.ts';
import type { Io } from '../io.ts';
import type { LogEntry } from '../log/entry.ts';
import { entryText } from '../log/show.ts';
import { CommandError, painter } from '../terminal-text.ts';
import type { ApprovalFiles } from './approval-files.ts';

const CONSEQUENCE =
  'The call was denied because content that the agent has read decided what it does, and not you. Let it pass only if you are sure that you want exactly this call.';

/** An agent reads the id of a call that was not made. It must not answer for the person. */
export function requirePerson(io: Io, id: string): void {
  if (io.isTerminal) return;
  throw new CommandError(
    'a call can only be approved by a person at a terminal.',
    `run it in a terminal of your own: sallyport approve ${id}`,
  );
}

/** Shows why a call was denied, and lets it pass once if the person says so. */
export async function overrideDenial(io: Io, files: ApprovalFiles, denial: LogEntry): Promise<void> {
  const { call, id, ...shown } = denial;
  if (call === undefined)
    throw new CommandError(
      'you cannot override this denial: the call contains a secret, or its rule does not allow that.',
      'make the call yourself if you want it; see why it was denied: sallyport log',
    );
  requirePerson(io, id ?? '');
  io.stdout(`${entryText(shown, painter(true), io.columns)}\n${fitLines(CONSEQUENCE, io.columns)}\n\n`);
  if (!(await io.confirm('Let this call pass once, although it was denied?'))) {
    io.stdout('It stays denied.\n');
    return;
  }
  files.override(call);
  io.stdout('Recorded. Ask the agent to make the call again within ten minutes.\n');
}
