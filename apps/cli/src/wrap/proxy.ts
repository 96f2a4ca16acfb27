import type { Preset } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { offered, type PinStore, type ProxyOptions } from '@sallyport/mcp-proxy';
import { isAddress } from '../address.ts';
import { ApprovalFiles } from '../approve/approval-files.ts';
import { isLiftable } from '../approve/liftable.ts';
import { UserRules } from '../approve/user-rules.ts';
import type { WrapRequest } from '../local-process/request.ts';
import { LogFiles } from '../log/log-files.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { settingsFor } from '../settings.ts';
import { CommandError, printable } from '../terminal-text.ts';
import { serverName } from './name.ts';
import { Recorder } from './record.ts';
import { lineFor, lineForQuestion, lineForRefusal } from './report.ts';
import type { Connected, Session, SessionSettings } from './session.ts';

/** Prints the errors of a store on standard error: the error that the client gets does not name the file. */
function withErrorReports(store: PinStore, print: (line: string) => void): PinStore {
  const reported = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof CommandError) print(`${printable(cause.message)} Next: ${printable(cause.next)}`);
      throw cause;
    }
  };
  return {
    load: () => reported(() => store.load()),
    add: (pins) => reported(() => store.add(pins)),
    hold: (held, listed) => reported(() => store.hold(held, listed)),
    waits: (tool) => reported(() => store.waits(tool)),
    others: () => reported(() => store.others()),
  };
}

/** A call of a wrapped server, which the hooks of the same client may have checked. */
export interface WrappedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly preset: Preset;
  /** Set if the settings have an entry for the tool. */
  readonly isDeclared: boolean;
}

/** The process that a proxy works for. */
export interface ProxyPlace {
  /** The folder of pins, approvals and the log. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The session of the client that started the server. */
  session(settings: SessionSettings): Session;
  /** A test for questions that a check of the call by hooks answers. Undefined if no hook has checked it. */
  readonly checkedByHooks?: (call: WrappedCall) => ReturnType<NonNullable<ProxyOptions['checkedElsewhere']>>;
  stderr(text: string): void;
  /** Shows a text on the desktop. */
  notify(text: string): void;
}

const DEFAULT_LIMIT = 1000;

/** The proxy in front of a server, with the user's settings for it. */
export function proxyFor({ command, options }: WrapRequest, place: ProxyPlace): Connected {
  const { state, environment } = place;
  const server = options.server ?? serverName(command);
  const { trust, quiet, ...flags } = options;
  const settings = { ...settingsFor(server, options.config, environment), ...flags };
  const print = (line: string | undefined): void => {
    if (line !== undefined && quiet !== true) place.stderr(`sallyport: ${line}\n`);
  };
  const notify = (line: string): void => {
    if (settings.notify !== false) place.notify(line);
  };
  const approvals = new ApprovalFiles(state);
  const rules = new UserRules(state);
  const recorder = new Recorder(
    server,
    new LogFiles(state),
    (entry) => print(lineForRefusal(server, entry)),
    (cause) => print(`the log cannot be written: ${printable(cause instanceof Error ? cause.message : String(cause))}`),
  );
  const preset = settings.preset ?? 'balanced';
  const commandDigest = digestText(JSON.stringify(command));
  const session = place.session({
    preset,
    observe: settings.observe ?? false,
    maxBytes: (settings.limit ?? DEFAULT_LIMIT) * 1000,
  });
  return session.connect(server, commandDigest, {
    pins: withErrorReports(new PinFiles(state).store(server, commandDigest), print),
    approver: approvals.approver((id, question) => {
      recorder.held(question, id);
      print(lineForQuestion(id, question));
      notify(lineForQuestion(id, question));
    }),
    override: (question) => approvals.takeOverride(question),
    checkedElsewhere: (tool, given) => {
      const isDeclared = Object.hasOwn(settings.tools ?? {}, tool);
      // Hooks do not know the settings of another file.
      const checked =
        options.config === undefined
          ? place.checkedByHooks?.({ server, tool, arguments: given, preset, isDeclared })
          : undefined;
      const isRuled = rules.covers({ server, tool });
      return (decision) => (isRuled && isLiftable(decision)) || checked?.(decision) === true;
    },
    refusalNote: recorder.note,
    heldNote: recorder.heldNote,
    journal: recorder.journal,
    // Over HTTP an answer may come again after a connection broke.
    replays: isAddress(command[0]),
    mode: settings.mode ?? 'frame',
    structured: settings.structured ?? 'typed',
    secrets: settings.secrets ?? 'ask',
    trusted: trust ?? settings.trusted ?? false,
    tools: settings.tools ?? {},
    isOffered: offered(settings),
    ...(settings.askTimeout === undefined ? {} : { askTimeout: settings.askTimeout * 1000 }),
    onFlagged: (flagged) => recorder.flagged(flagged),
    onEvent: (event) => {
      const isNew = recorder.event(event);
      const line = lineFor(server, event);
      print(line);
      if (isNew && line !== undefined) notify(line);
    },
  });
}
