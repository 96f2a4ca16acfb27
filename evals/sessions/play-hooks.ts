// Plays sessions through the hooks of a host: events in its own format in, its own answers out.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { LOAD_HOST } from '../../apps/cli/src/hook/hosts/hosts.ts';
import { HookSessions } from '../../apps/cli/src/hook/sessions.ts';
import { NATIVE, type PlayedHost } from './native.ts';
import type { Done, Step } from './steps.ts';

/** A session in which content asks for something, and the model obeys. */
export interface Attack {
  readonly title: string;
  readonly origin: string;
  readonly package: string;
  readonly prompt: string;
  readonly poison: Step & { readonly text: string };
  readonly wanted: readonly Step[];
  /** What the steps before the last one of what is wanted return. */
  readonly reads?: Readonly<Record<string, string>>;
}

export const ATTACKS: readonly Attack[] = JSON.parse(
  readFileSync(new URL('./attacks.json', import.meta.url), 'utf8'),
) as readonly Attack[];

export interface Held {
  readonly session: string;
  readonly step: Step;
  readonly outcome: 'ask' | 'deny';
  readonly answer: string;
}

export interface Played {
  readonly calls: number;
  readonly events: number;
  readonly held: readonly Held[];
  /** Whether the last call was made without a question. */
  readonly isLastMade: boolean;
}

/** Plays one session. Whatever is asked about is answered with yes, as far as the host can ask. */
export async function playSession(
  host: PlayedHost,
  session: string,
  folder: string,
  prompt: string,
  done: readonly Done[],
): Promise<Played> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-sessions-'));
  const sessions = new HookSessions({
    stateFolder: state,
    environment: { SALLYPORT_STATE: state, XDG_CONFIG_HOME: state },
  });
  const hooks = await LOAD_HOST[host]();
  const native = NATIVE[host](session, folder);
  let events = 0;
  const send = async (input: Readonly<Record<string, unknown>>): Promise<string> => {
    events++;
    const event = hooks.read(input);
    if (event === undefined) throw new Error(`${host} does not read ${JSON.stringify(input).slice(0, 200)}`);
    return hooks.write(input, await sessions.handle(host, event)).stdout;
  };
  const held: Held[] = [];
  let isLastMade = false;
  try {
    await send(native.prompt(prompt));
    for (const [index, { step, text }] of done.entries()) {
      const id = `call-${index}`;
      const answer = await send(native.call(step, id));
      const outcome = native.outcome(answer);
      isLastMade = outcome === 'allow';
      if (outcome !== 'allow') held.push({ session, step, outcome, answer });
      if (outcome !== 'deny') await send(native.result(step, id, text));
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
  return { calls: done.length, events, held, isLastMade };
}

/** A path of a scenario: below the project, or in the home folder. */
function placed(step: Step, folder: string): Step {
  if (!('path' in step)) return step;
  const { path } = step;
  if (path.startsWith('~/')) return { ...step, path: join(homedir(), path.slice(2)) };
  return isAbsolute(path) ? step : { ...step, path: join(folder, path) };
}

const BEFORE = 4;
const AFTER = 2;

/** The steps of an attacked session: the beginning of the everyday one, the poison, a little more, and what the attacker wants. */
export function attackedSteps(attack: Attack, folder: string, everyday: readonly Done[]): readonly Done[] {
  const { text, ...poison } = attack.poison;
  const wanted = attack.wanted.map((step) => {
    const key = 'command' in step ? step.command : 'path' in step ? step.path : '';
    return { step: placed(step, folder), text: attack.reads?.[key] ?? 'TOKEN=x9\n' };
  });
  return [
    ...everyday.slice(0, BEFORE),
    { step: placed(poison as Step, folder), text },
    ...everyday.slice(BEFORE, BEFORE + AFTER),
    ...wanted,
  ];
}
