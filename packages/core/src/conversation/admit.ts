import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeValue, SallyportError } from '../base/errors.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { Report } from '../event.ts';
import type { FrameKey } from '../frame/key.ts';
import { type LiveCodes, noncesOf } from '../frame/live-codes.ts';
import { type Opened, openFrame } from '../frame/open-frame.ts';
import { isAtMost, joinLabels, type Label } from '../label/label.ts';
import { Source, UNKNOWN_SOURCE } from '../label/source.ts';
import { splitLists } from '../record/envelopes.ts';
import { type LimitOptions, limit } from '../record/limit.ts';
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
  readonly key: FrameKey;
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
    if (input.tool !== undefined)
      throw new SallyportError('ERR_INVALID_OPTION', 'Give either `source` or `tool`, not both.');
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
  /** The opened frame, if the whole content was one frame of this conversation. */
  readonly opened: Opened | undefined;
}

/** The label of a frame whose record is not known: its integrity comes from the frame, its confidentiality is the highest. */
const UNKNOWN_FRAME: Label = Object.freeze({ integrity: 'policy', confidentiality: 'secret' });

function openedParts({ texts, isJson, whole }: Opened): Part[] {
  // After a cut the text is not valid JSON.
  return texts.map((text, index) => Object.freeze({ type: isJson[index] && whole ? 'json' : 'text', text }));
}

/** Opens frames that were made with this key, so that stored content is raw and nothing is framed twice. */
function unwrap(parts: readonly Part[], { key, codes }: AdmitContext): Unwrapped {
  const opened = parts.map((part) => (part.type === 'text' ? openFrame(part.text, key) : undefined));
  const frames = opened.filter((each) => each !== undefined);
  if (frames.length === 0) return { parts, floor: [], opened: undefined };
  const raw = parts.flatMap((part, index) => {
    const frame = opened[index];
    return frame === undefined ? [part] : openedParts(frame);
  });
  // A frame states the trust of its content, not its confidentiality: for an unknown one the highest is assumed.
  const floor = frames.flatMap(({ origin, nonce }): Label[] => [
    { integrity: origin, confidentiality: 'public' },
    codes.labelOf(nonce) ?? UNKNOWN_FRAME,
  ]);
  return { parts: Object.freeze(raw), floor, opened: parts.length === 1 ? frames[0] : undefined };
}

interface Arrival {
  readonly input: AdmitInput;
  readonly opened: Opened | undefined;
}

/** Whether a frame shows this record: it has the record's nonce, and its texts are those of the limited record. */
function isFrameOf(recorded: Recorded, { nonce, texts }: Opened, { key, limits }: AdmitContext): boolean {
  if (!noncesOf(recorded, key).includes(nonce)) return false;
  const shown = new Set(limit(recorded, limits).parts.map(({ text }) => text));
  return texts.every((text) => shown.has(text));
}

/** Whether the existing record can be returned for new content: it must not be more trusted than that content. */
function isReplay(existing: Recorded, candidate: Recorded, { input, opened }: Arrival, context: AdmitContext): boolean {
  const isOwnFrame = opened !== undefined && isFrameOf(existing, opened, context);
  if (existing.digest !== candidate.digest && !isOwnFrame) return false;
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
  if (isReplay(existing, candidate, arrival, context)) return existing;
  const about = canonicalJson([candidate.digest, candidate.label, candidate.source.name ?? '', candidate.derivation]);
  const base = candidate.id.length > MAX_BASE_LENGTH ? digestText(candidate.id) : candidate.id;
  // An attacker can compute the next id and use it first; then the one after it is tried.
  for (let count = 1; ; count++) {
    const id = `${base}.${digestText(`${about} ${count}`).slice(0, 32)}`;
    const twin = records.get(id);
    if (twin !== undefined && isReplay(twin, candidate, arrival, context)) return twin;
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
  const incoming = { id: givenId, partCount: splitLists(parts).length };
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
  const { parts, floor } = unwrap(readContent(content), context);
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
  const unwrapped = unwrap(readContent(input.content), context);
  const cleaned = clean(checkId(input.id ?? `record-${records.size + 1}`), unwrapped.parts, input, context);
  const labels = [...ancestors.map(({ label }) => label), ...unwrapped.floor, ...cleaned.labels];
  if (input.label !== undefined) labels.push(input.label);
  const derivation = ancestors.map((ancestor) => ancestor.id);
  const { id, source, parts, tool } = cleaned;
  const candidate = new Recorded({ id, source, parts, derivation, floor: joinLabels(labels) });
  const recorded = withFreeId(candidate, { input, opened: unwrapped.opened }, context);
  const count = cleaned.labels.length;
  if (unwrapped.floor.length > 0) onEvent({ type: 'frame-opened', recordId: recorded.id });
  if (count > 0) onEvent({ type: 'nonce-reflected', recordId: recorded.id, count });
  if (recorded.source.origin === 'unknown') onEvent({ type: 'source-unknown', recordId: recorded.id, tool });
  return recorded;
}
