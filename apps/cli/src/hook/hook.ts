import { Command, Option } from 'commander';
import { CommandError } from '../terminal-text.ts';
import { HOOK_OUTCOMES, HOSTS } from './event.ts';
import { runHook } from './run.ts';

const HELP = `
Hosts start this command themselves; sallyport init registers it. It reads one
event as JSON from standard input: what the user said, a call before it is made,
or its result. It prints the host's answer. A call that may be made is answered
without an opinion, so that the host's own rules decide as before.

Each session of the host is one conversation. It is kept in the state folder,
readable only by you, until 30 days after its last event: a session that is
resumed is then still known.

Examples:
  echo '{"session_id":"1","hook_event_name":"UserPromptSubmit",
    "prompt":"Fix the test."}' | sallyport hook claude-code
  sallyport hook cursor --on-failure deny < event.json

Exit codes: 0 answered, 2 the event is empty or not a JSON object, and the host
blocks what it is about, 1 the same with --on-failure allow, and the host goes on.
Windsurf takes no JSON: 2 is a denied call there, with the reason on standard
error.`;

/** The help of \`sallyport hook\`. Hosts do not get here: main.ts runs their hooks without loading commands. */
export function hookCommand(): Command {
  return new Command('hook')
    .argument('<host>', `one of ${HOSTS.join(', ')}`)
    .addOption(
      new Option('--on-failure <outcome>', 'what happens to a call that cannot be checked')
        .choices(HOOK_OUTCOMES)
        .default('ask'),
    )
    .addHelpText('after', HELP)
    .action(async (name: string, { onFailure }: { readonly onFailure: (typeof HOOK_OUTCOMES)[number] }) => {
      const host = HOSTS.find((each) => each === name);
      if (host === undefined)
        throw new CommandError(`there are no hooks for the host ${name}.`, `name one of these: ${HOSTS.join(', ')}`, 2);
      await runHook({ host, onFailure });
    });
}
