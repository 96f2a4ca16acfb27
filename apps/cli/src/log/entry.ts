import type { DecidedBy, StoredDecision } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import { redactExcerpt } from '@sallyport/mcp-proxy';
import { redactJson, redactSecrets } from '../secrets/redact.ts';
import { shownTool } from '../tool-name.ts';

/**
 * The type of an event. `held`: a call waits for a person. `asked`: a host asks its user in its own dialog.
 * `unanswered`: the person did not answer in time. `observed`: the call was made, because the policy only observes.
 * `pinned`: a call of a tool whose definition waits. `changed`: a definition waits. `flagged`: text that a server sent
 * reads like an instruction. `made`: a call that passed without a question; only counted.
 */
const ENTRY_TYPES = [
  'held',
  'asked',
  'unanswered',
  'approved',
  'declined',
  'denied',
  'observed',
  'pinned',
  'changed',
  'flagged',
  'made',
] as const;

export type EntryType = (typeof ENTRY_TYPES)[number];

/** Text that was read, with the part that matters between the two others. Untrusted. */
export interface LoggedText {
  readonly path?: string;
  readonly source?: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** One line of the log. It holds neither a value of the role `secret` nor a secret that is known by its form. Everything that a server or a model wrote is untrusted. */
export interface LogEntry {
  readonly time: string;
  readonly type: EntryType;
  readonly server: string;
  readonly tool?: string;
  /** The id that `sallyport approve` takes. */
  readonly id?: string;
  /** Digest of a denied call that a person can let pass. */
  readonly call?: string;
  /** The folder in which a coding agent makes the call. */
  readonly folder?: string;
  /** Set if a rule of the user may answer the question. */
  readonly isLiftable?: boolean;
  /** The policy's decision, in observe mode. */
  readonly judged?: 'ask' | 'deny';
  readonly rule?: string;
  /** The source of the decision. Absent in an entry of an earlier version. */
  readonly decidedBy?: DecidedBy;
  readonly reason?: string;
  readonly arguments?: string;
  readonly evidence?: readonly LoggedText[];
}

const ID_LENGTH = 12;

/** Short enough to type. Calls are also compared in full, because an attacker can construct two calls with one id. */
export function idOfCall(digest: string): string {
  return digest.slice(0, ID_LENGTH);
}

const MAX_NAME = 200;
const MAX_TEXT = 1000;
const MAX_ARGUMENTS = 2000;
const MAX_EXCERPT = 200;
const MAX_EVIDENCE = 3;

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()} ... (${text.length} characters)`;
}

/** The end of a text that is shown before a match. */
function cutStart(text: string): string {
  return text.length <= MAX_EXCERPT ? text : `... ${text.slice(-MAX_EXCERPT).toWellFormed()}`;
}

function loggedText({ path, source, ...excerpt }: LoggedText): LoggedText {
  const { before, match, after } = redactExcerpt(excerpt, redactSecrets);
  return {
    ...(path !== undefined && { path: cut(path, MAX_NAME) }),
    ...(source !== undefined && { source: cut(source, MAX_NAME) }),
    before: cutStart(before),
    match: cut(match, MAX_EXCERPT),
    after: cut(after, MAX_EXCERPT),
  };
}

/** An entry of bounded size: a hostile server chooses how long its names and texts are. */
export function boundedEntry(entry: LogEntry): LogEntry {
  const { tool, reason, evidence = [] } = entry;
  // Before it is cut: half of a secret has no form.
  const values = entry.arguments === undefined ? undefined : redactJson(entry.arguments);
  return {
    ...entry,
    server: cut(entry.server, MAX_NAME),
    ...(tool !== undefined && { tool: cut(tool, MAX_NAME) }),
    ...(reason !== undefined && { reason: cut(reason, MAX_TEXT) }),
    ...(values !== undefined && { arguments: cut(values, MAX_ARGUMENTS) }),
    ...(evidence.length > 0 && { evidence: evidence.slice(0, MAX_EVIDENCE).map(loggedText) }),
  };
}

/** The logged part of a decision: without secrets. */
export function decisionFields({ call, rule, decidedBy, reason, evidence }: StoredDecision): Partial<LogEntry> {
  const texts = evidence.flatMap(({ path, source, excerpt }) =>
    excerpt === undefined ? [] : [{ path, ...(source && { source: shownTool(source) }), ...excerpt }],
  );
  return { rule, decidedBy, reason, arguments: call.argumentsJson, evidence: texts };
}

function isLoggedText(value: unknown): boolean {
  const { path = '', source = '', before, match, after } = fieldsOf(value);
  return [path, source, before, match, after].every((text) => typeof text === 'string');
}

/** Reads a line of the log; undefined if it is not one. */
export function readEntry(line: string): LogEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // A process may have ended while it wrote the line.
    return undefined;
  }
  const fields = fieldsOf(value);
  const {
    time,
    type,
    server,
    tool = '',
    id = '',
    call = '',
    rule = '',
    reason = '',
    decidedBy = '',
    folder = '',
    isLiftable = false,
    judged = 'ask',
  } = fields;
  const texts = [server, tool, id, call, folder, rule, decidedBy, reason, fields.arguments ?? ''];
  const isEntry =
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time)) &&
    ENTRY_TYPES.some((each) => each === type) &&
    (judged === 'ask' || judged === 'deny') &&
    typeof isLiftable === 'boolean' &&
    texts.every((each) => typeof each === 'string') &&
    (fields.evidence === undefined || (Array.isArray(fields.evidence) && fields.evidence.every(isLoggedText)));
  return isEntry ? (fields as unknown as LogEntry) : undefined;
}
