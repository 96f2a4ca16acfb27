import { fitLines } from '../fit-lines.ts';
import { type Io, requirePerson } from '../io.ts';
import type { LogEntry } from '../log/entry.ts';
import { entryText } from '../log/show.ts';
import { CommandError, painter } from '../terminal-text.ts';
import type { ApprovalFiles } from './approval-files.ts';

const CONSEQUENCE =
  'The call was denied because content that the agent has read decided what it does, and not you. Let it pass only if you are sure that you want exactly this call.';

/** Shows why a call was denied, and lets it pass once if the person says so. */
export async function overrideDenial(io: Io, files: ApprovalFiles, denial: LogEntry): Promise<void> {
  const { call, id, ...shown } = denial;
  if (call === undefined)
    throw new CommandError(
      'you cannot override this denial: the call contains a secret, or its rule does not allow that.',
      'make the call yourself if you want it; see why it was denied: sallyport log',
    );
  requirePerson(io, 'a call can only be approved', `approve ${id ?? ''}`);
  io.stdout(`${entryText(shown, painter(true), io.columns)}\n${fitLines(CONSEQUENCE, io.columns)}\n\n`);
  if (!(await io.confirm('Let this call pass once, although it was denied?'))) {
    io.stdout('It stays denied.\n');
    return;
  }
  files.override(call);
  io.stdout('Recorded. Ask the agent to make the call again within ten minutes.\n');
}
