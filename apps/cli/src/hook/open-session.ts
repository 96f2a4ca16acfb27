import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { spanClassifier } from '@sallyport/classifier';
import { type Boundary, createBoundary, type JudgeOptions, type Preset, type Rule, type Rules } from '@sallyport/core';
import type { LastingApprovals } from '../approve/lasting-approvals.ts';
import { guardedFiles } from '../guarded-files.ts';
import { judgeFor } from '../judge/judge-for.ts';
import type { LogFiles } from '../log/log-files.ts';
import { judgeOf } from '../origin/judge.ts';
import { filesOfProject } from '../origin/project.ts';
import { hookRules } from '../origin/rules.ts';
import { secretFinder } from '../secrets/finder.ts';
import { settingsFor, settingsTimeOf } from '../settings.ts';
import { Recorder } from '../wrap/record.ts';
import { asksUser } from './can-ask.ts';
import { ATTACHED, type HookEvent, type Host } from './event.ts';
import { Session } from './session.ts';
import { type KeptSession, SessionLog } from './session-log.ts';
import { SessionTools } from './tools/registry.ts';

const MAX_BYTES = 1_000_000;

/** In a session of which not everything is known, every effect is asked about. */
function forgotten(isIncomplete: () => boolean): Rule {
  return ({ effect }) =>
    isIncomplete() && effect !== 'read'
      ? { outcome: 'ask', reason: 'Not everything that was read in this conversation is known any more.' }
      : undefined;
}

/** The first folder of a session, unless it holds everything of the user. */
function projectIn(folders: readonly (string | undefined)[]): string | undefined {
  const first = folders.find((each) => each !== undefined);
  return first === undefined || resolve(first) === homedir() || dirname(first) === first ? undefined : first;
}

/** A session that is open in this process. */
export interface OpenSession {
  readonly session: Session;
  readonly log: SessionLog;
  readonly recorder: Recorder;
  readonly preset: Preset;
  /** When the settings were changed that it follows. */
  readonly settingsTime: number;
  /** The folder in which the host makes the call of the next event. */
  readonly place: { folder?: string | undefined };
  /** Warnings for the user, such as that the log cannot be written. Told with the next answer. */
  readonly warnings: string[];
}

/** What all sessions of a user share. */
export interface SessionPlace {
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly judge?: JudgeOptions;
  readonly lasting: LastingApprovals;
  readonly files: LogFiles;
}

/** What the boundary of a session is made from. */
interface Settled {
  readonly preset: Preset;
  readonly observe: boolean;
  readonly secrets: ReturnType<typeof settingsFor>['secrets'];
  readonly kept: KeptSession;
  readonly log: SessionLog;
  readonly tools: SessionTools;
  readonly rules: Rules;
  readonly judge: JudgeOptions | undefined;
  readonly lasting: LastingApprovals;
}

function boundaryOf({ preset, observe, secrets, kept, log, tools, rules, judge, lasting }: Settled): Boundary {
  const verdicts = new Map(kept.verdicts);
  return createBoundary({
    key: randomBytes(32),
    tools,
    classifier: spanClassifier,
    cache: {
      get: (key) => verdicts.get(key),
      set: (key, verdict) => {
        verdicts.set(key, verdict);
        log.keepVerdict(key, verdict);
      },
    },
    gate: {
      preset,
      observe,
      findSecrets: secretFinder({ isOn: () => secrets !== 'off', staysHere: (tool) => tools.staysHere(tool) }),
      rules,
    },
    ...(judge && { judge }),
    limits: { maxBytes: MAX_BYTES },
    approvals: lasting,
  });
}

/** Opens a session with what was kept of it. If its file was larger before, a part of it is lost. */
export async function openSession(
  given: SessionPlace,
  host: Host,
  { session: id, folder }: HookEvent,
  sizeBefore?: number,
): Promise<OpenSession> {
  const { stateFolder, environment, files, lasting } = given;
  const log = new SessionLog(stateFolder, host, id);
  const kept = log.read(sizeBefore);
  const warnings: string[] = [];
  const place: OpenSession['place'] = {};
  const settingsTime = settingsTimeOf(environment);
  const recorder = new Recorder(
    host,
    files,
    () => undefined,
    (cause) => warnings.push(`the log cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`),
    () => place.folder,
  );
  const { preset = 'balanced', observe = false, secrets } = settingsFor(host, undefined, environment);
  const tools = new SessionTools(host, (server) => settingsFor(server, undefined, environment).tools ?? {});
  const rules: Rules = {
    ...guardedFiles(stateFolder, { folder: () => place.folder }),
    ...hookRules(() => session.checked()),
    forgotten: forgotten(() => kept.isIncomplete || session.isCut),
  };
  let isOpen = false;
  const chosen = given.judge ?? judgeFor({ stateFolder, environment, isAsked: () => isOpen });
  const judge = chosen && judgeOf(chosen, () => session.checked());
  const boundary = boundaryOf({ preset, observe, secrets, kept, log, tools, rules, judge, lasting });
  const project = projectIn([...kept.events.map(({ event }) => event.folder), folder]);
  const session: Session = new Session(`${host} ${id}`, boundary, tools, {
    owner: `${host} hooks`,
    project,
    maxBytes: MAX_BYTES,
    isByOrigin: preset === 'balanced',
    observe,
    asksUser: (call) => asksUser(host, call),
  });
  await session.restore(kept);
  // Once: what the agent writes into them later does not become the project's.
  for (const { path, text } of kept.events.length > 0 ? [] : filesOfProject(project)) {
    const event = {
      type: 'result',
      session: id,
      tool: ATTACHED,
      arguments: { path },
      result: text,
      folder: project ?? '',
    } as const;
    await session.read(event);
    log.keep({ event });
  }
  isOpen = true;
  return { session, log, recorder, preset, place, warnings, settingsTime };
}
