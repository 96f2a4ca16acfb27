import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeValue, refuse, SallyportError } from '../base/errors.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { Report } from '../event.ts';
import type { LiveCodes } from '../frame/live-codes.ts';
import { type Opened, openFrame } from '../frame/open-frame.ts';
import { readFrame } from '../frame/read-frame.ts';
import { isAtMost, joinLabels, type Label } from '../label/label.ts';
import { Source, UNKNOWN_SOURCE } from '../label/source.ts';
import type { LimitedPart, LimitOptions } from '../record/limit.ts';
import { type Content, type Part, readContent } from '../record/part.ts';
import { checkId, Recorded } from '../record/record.ts';

/**
 * Options of a user's message.
 *
 * @example
 * ```ts
 * const options: UserMessageOptions = { id: message.id };
 * conversation.addUserMessage(message.text, options);
 * ```
 */
export interface UserMessageOptions {
  /** An id that stays the same when the message is added again. @default the position in the conversation */
  readonly id?: string;
  /** The records it was made from, such as those that a summary covers. @default none */
  readonly derivedFrom?: readonly Recorded[];
  /** A label to join with that of the source. It can only lower the result. @default none */
  readonly label?: Label;
}

/**
 * The result of a tool call.
 *
 * @example
 * ```ts
 * const result: ToolResult = { id: 'call-1', tool: 'read_mail', content: { json: mails } };
 * conversation.addToolResult(result);
 * ```
 */
export interface ToolResult extends UserMessageOptions {
  /** The name of the tool that returned it. A result of an undeclared tool has an unknown source. */
  readonly tool: string;
  readonly content: Content;
}

/**
 * Content that did not come from a tool call.
 *
 * @example
 * ```ts
 * const input: ContentInput = { source: source('retrieved', { name: 'handbook' }), content: passage };
 * conversation.addContent(input);
 * ```
 */
export interface ContentInput extends UserMessageOptions {
  /** Where the content came from. @default unknown */
  readonly source?: Source;
  readonly content: Content;
}

/** Anything that a conversation can receive: with the name of a tool, or with a source. */
export interface AdmitInput extends UserMessageOptions {
  readonly source?: Source;
  readonly tool?: string;
  readonly content: Content;
}

export interface AdmitContext {
  readonly tools: ToolRegistry;
  /** The records of the conversation by id. */
  readonly records: ReadonlyMap<string, Recorded>;
  readonly codes: LiveCodes;
  readonly limits: LimitOptions;
  readonly onEvent: Report;
}

/** The source that was given, or that of the tool's definition. A name alone gives no trust. */
function sourceOf(input: Omit<AdmitInput, 'content'>, tools: ToolRegistry): Source {
  if (input.source !== undefined) {
    if (!Source.is(input.source))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        `\`source\` must be a result of source(), such as source('user'); received ${describeValue(input.source)}.`,
      );
    if (input.tool !== undefined) refuse('Give either `source` or `tool`, not both.');
    return input.source;
  }
  if (input.tool !== undefined && typeof input.tool !== 'string')
    throw new SallyportError(
      'ERR_INVALID_NAME',
      `\`tool\` must be the name of a tool, such as fetchPage.name; received ${describeValue(input.tool)}.`,
    );
  return (input.tool === undefined ? undefined : tools.get(input.tool)?.source) ?? UNKNOWN_SOURCE;
}

interface Unwrapped {
  readonly parts: readonly Part[];
  readonly floor: readonly Label[];
  readonly opened: readonly Opened[];
  /** The whole content was one frame of this conversation. */
  readonly isFrame: boolean;
}

function openedPart({ part, text, cut }: LimitedPart): Part {
  // After a cut the text is not valid JSON.
  return cut === undefined && part.type === 'json' ? part : Object.freeze({ type: 'text', text });
}

/** Where a part will be: the id of the record that is being added, and the part's index. */
interface PartPlace {
  readonly id: string;
  readonly index: number;
}

interface Returned {
  readonly parts: readonly Part[];
  readonly label: Label | undefined;
  readonly opened: Opened | undefined;
}

/**
 * A part that may be a frame of this conversation. A frame of the record that is being added is opened even if the record was lost,
 * as after a restart: its content counts as that of the part. What has the form of a frame and is of no record here is text; it is trusted
 * at most like what it claims to be, because it may be a frame whose record was lost.
 */
function unwrapPart(part: Part, place: PartPlace, { codes, limits }: AdmitContext): Returned {
  const read = part.type === 'text' ? readFrame(part.text) : undefined;
  if (read === undefined) return { parts: [part], label: undefined, opened: undefined };
  const opened = openFrame(read, codes, limits);
  if (opened === undefined && codes.isOwnFrame(read, place.id, place.index))
    return {
      parts: read.texts.map((text) => Object.freeze({ type: 'text', text })),
      label: { integrity: read.origin, confidentiality: 'secret' },
      opened,
    };
  if (opened === undefined)
    return { parts: [part], label: { integrity: read.origin, confidentiality: 'public' }, opened };
  return { parts: opened.parts.map(openedPart), label: opened.recorded.label, opened };
}

/** Opens frames of this conversation, so that stored content is raw and nothing is framed twice. */
function unwrap(id: string, parts: readonly Part[], context: AdmitContext): Unwrapped {
  const returned = parts.map((part, index) => unwrapPart(part, { id, index }, context));
  const opened = returned.flatMap((each) => each.opened ?? []);
  return {
    parts: returned.every(({ label }) => label === undefined)
      ? parts
      : Object.freeze(returned.flatMap((each) => each.parts)),
    floor: returned.flatMap(({ label }) => label ?? []),
    opened,
    isFrame: parts.length === 1 && opened.length === 1,
  };
}

interface Arrival {
  readonly input: AdmitInput;
  /** The record whose frame the content was. */
  readonly shows: Recorded | undefined;
}

/** The existing record can be returned for new content only if it is not more trusted than that content. */
function isReplay(existing: Recorded, candidate: Recorded, { input, shows }: Arrival): boolean {
  if (existing.digest !== candidate.digest && shows !== existing) return false;
  // If the provider keeps the history, a later request no longer says which tool a result came from.
  const { source, tool, derivedFrom, label } = input;
  const isUnlabelled = [source, tool, derivedFrom, label].every((each) => each === undefined);
  return isUnlabelled || isAtMost(existing.label, candidate.label);
}

const MAX_BASE_LENGTH = 400;

/** The record under its id, or under a new id if other content has that one. */
function withFreeId(candidate: Recorded, arrival: Arrival, context: AdmitContext): Recorded {
  const { records, onEvent } = context;
  const existing = records.get(candidate.id);
  if (existing === undefined) return candidate;
  if (isReplay(existing, candidate, arrival)) return existing;
  const about = canonicalJson([candidate.digest, candidate.label, candidate.source.name ?? '', candidate.derivation]);
  const base = candidate.id.length > MAX_BASE_LENGTH ? digestText(candidate.id) : candidate.id;
  // An attacker can compute the next id and use it first; then the one after it is tried.
  for (let count = 1; ; count++) {
    const id = `${base}.${digestText(`${about} ${count}`).slice(0, 32)}`;
    const twin = records.get(id);
    if (twin !== undefined && isReplay(twin, candidate, arrival)) return twin;
    if (twin !== undefined) continue;
    onEvent({ type: 'record-renamed', recordId: id, givenId: candidate.id });
    return new Recorded({ ...candidate, id });
  }
}

interface CleanInput {
  readonly id: string;
  readonly source: Source;
  readonly parts: readonly Part[];
  readonly tool: string | undefined;
  /** The labels of the records whose codes were found: the author of the content has read them. */
  readonly labels: readonly Label[];
}

/** Everything of an input that will be stored or reported, without live codes. Ids and names can hold them too. */
function clean(
  givenId: string,
  parts: readonly Part[],
  input: Omit<AdmitInput, 'content'>,
  { tools, codes }: AdmitContext,
): CleanInput {
  const incoming = { id: givenId, parts };
  const given = sourceOf(input, tools);
  const id = codes.cleanText(givenId, incoming);
  const name = codes.cleanText(given.name ?? '', incoming);
  const tool = codes.cleanText(input.tool ?? '', incoming);
  const cleaned = parts.map((part) => codes.cleanPart(part, incoming));
  const { origin, confidentiality } = given;
  return {
    id: id.value,
    source: name.labels.length === 0 ? given : new Source(origin, { confidentiality, name: name.value }),
    parts: Object.freeze(cleaned.map(({ value }) => value)),
    tool: input.tool === undefined ? undefined : tool.value,
    labels: [id, name, tool, ...cleaned].flatMap(({ labels }) => labels),
  };
}

/** Text that a model wrote, without frames and live codes, with the labels of the records those belong to. */
export function cleanWords(id: string, content: Content, context: AdmitContext): CleanInput {
  const { parts, floor } = unwrap(checkId(id), readContent(content), context);
  const cleaned = clean(checkId(id), parts, {}, context);
  return { ...cleaned, labels: [...floor, ...cleaned.labels] };
}

const NAMES: readonly (keyof AdmitInput)[] = ['id', 'source', 'tool', 'content', 'derivedFrom', 'label'];

/** Adds content to a conversation: copies it, opens own frames, removes live codes, labels and records it. */
export function admit(input: AdmitInput, context: AdmitContext): Recorded {
  const { records, onEvent } = context;
  checkOptionNames(input, NAMES, 'Content');
  const ancestors = input.derivedFrom === undefined ? [] : input.derivedFrom;
  if (!Array.isArray(ancestors) || !ancestors.every(Recorded.is))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      '`derivedFrom` must be an array of records: results of addToolResult(), addContent() or addUserMessage().',
    );
  const givenId = checkId(input.id ?? `record-${records.size + 1}`);
  const unwrapped = unwrap(givenId, readContent(input.content), context);
  const cleaned = clean(givenId, unwrapped.parts, input, context);
  const labels = [...ancestors.map(({ label }) => label), ...unwrapped.floor, ...cleaned.labels];
  if (input.label !== undefined) labels.push(input.label);
  const derivation = ancestors.map((ancestor) => ancestor.id);
  const { id, source, parts, tool } = cleaned;
  const candidate = new Recorded({ id, source, parts, derivation, floor: joinLabels(labels) });
  const shows = unwrapped.isFrame ? unwrapped.opened[0]?.recorded : undefined;
  const recorded = withFreeId(candidate, { input, shows }, context);
  const count = cleaned.labels.length;
  if (unwrapped.opened.length > 0) onEvent({ type: 'frame-opened', recordId: recorded.id });
  if (count > 0) onEvent({ type: 'nonce-reflected', recordId: recorded.id, count });
  if (recorded.source.origin === 'unknown') onEvent({ type: 'source-unknown', recordId: recorded.id, tool });
  return recorded;
}
