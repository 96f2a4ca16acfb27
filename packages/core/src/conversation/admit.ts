import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { EventListener } from '../event.ts';
import type { FrameKey } from '../frame/key.ts';
import { type LiveCodes, noncesOf } from '../frame/live-codes.ts';
import { type Opened, openFrame } from '../frame/open-frame.ts';
import { isAtMost, joinLabels, type Label } from '../label/label.ts';
import { Source, UNKNOWN_SOURCE } from '../label/source.ts';
import { type LimitOptions, limit } from '../record/limit.ts';
import { type Content, type Part, readContent } from '../record/part.ts';
import { checkId, Recorded } from '../record/record.ts';

/** Options of a user's message. */
export interface UserMessageOptions {
  /** Stable over replays, such as the message's id. @default the position in the conversation */
  readonly id?: string;
  /** The records it was made from, such as those that a summary covers. @default none */
  readonly derivedFrom?: readonly Recorded[];
  /** A label to join in. It can only lower. @default none */
  readonly label?: Label;
}

/** The result of a tool call. */
export interface ToolResult extends UserMessageOptions {
  /** The name of the tool that returned it. The result of an undeclared tool is of unknown source. */
  readonly tool: string;
  readonly content: Content;
}

/** Content that did not come from a tool call. */
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
  readonly known: ReadonlyMap<string, Recorded>;
  readonly codes: LiveCodes;
  readonly limits: LimitOptions;
  readonly onEvent: EventListener;
}

/** Trust comes from the source given or from the tool's own definition; a name proves nothing. */
function sourceOf(input: Omit<AdmitInput, 'content'>, tools: ToolRegistry): Source {
  if (input.source !== undefined) {
    if (!Source.is(input.source))
      throw new SallyportError('ERR_STAGE_SKIPPED', "source is what source() made: write source: source('user').");
    if (input.tool !== undefined)
      throw new SallyportError('ERR_INVALID_OPTION', 'Give either a source or the name of a declared tool, not both.');
    return input.source;
  }
  if (input.tool !== undefined && typeof input.tool !== 'string')
    throw new SallyportError('ERR_INVALID_NAME', 'tool is the name of a declared tool: tool: fetchPage.name.');
  return (input.tool === undefined ? undefined : tools.get(input.tool)?.source) ?? UNKNOWN_SOURCE;
}

interface Unwrapped {
  readonly parts: readonly Part[];
  readonly floor: readonly Label[];
  /** The frame the whole content was, if it was one of ours. */
  readonly opened: Opened | undefined;
}

const MOST_SECRET: Label = Object.freeze({ integrity: 'policy', confidentiality: 'secret' });

function openedParts({ texts, isJson, whole }: Opened): Part[] {
  // A cut JSON text is not JSON any more.
  return texts.map((text, index) => Object.freeze({ type: isJson[index] && whole ? 'json' : 'text', text }));
}

/** A frame of this very key that comes in again is opened: what is stored is raw, and nothing is framed twice. */
function unwrap(parts: readonly Part[], { key, codes }: AdmitContext): Unwrapped {
  const opened = parts.map((part) => (part.type === 'text' ? openFrame(part.text, key) : undefined));
  const frames = opened.filter((each) => each !== undefined);
  if (frames.length === 0) return { parts, floor: [], opened: undefined };
  const raw = parts.flatMap((part, index) => {
    const frame = opened[index];
    return frame === undefined ? [part] : openedParts(frame);
  });
  // A frame says how trusted its content is, not how secret: of one we do not know we assume the worst.
  const floor = frames.flatMap(({ origin, nonce }): Label[] => [
    { integrity: origin, confidentiality: 'public' },
    codes.labelOf(nonce) ?? MOST_SECRET,
  ]);
  return { parts: Object.freeze(raw), floor, opened: parts.length === 1 ? frames[0] : undefined };
}

interface Arrival {
  readonly input: AdmitInput;
  readonly opened: Opened | undefined;
}

/** Whether a frame shows this very record: by its nonce, and by what the record's limit leaves of it. */
function isFrameOf(recorded: Recorded, { nonce, texts }: Opened, { key, limits }: AdmitContext): boolean {
  if (!noncesOf(recorded, key).includes(nonce)) return false;
  const shown = new Set(limit(recorded, limits).parts.map(({ text }) => text));
  return texts.every((text) => shown.has(text));
}

/** Whether a replay may be answered with the record that is there: it must not be more trusted than the newcomer. */
function isReplay(existing: Recorded, fresh: Recorded, { input, opened }: Arrival, context: AdmitContext): boolean {
  const isOwnFrame = opened !== undefined && isFrameOf(existing, opened, context);
  if (existing.digest !== fresh.digest && !isOwnFrame) return false;
  // With state held by the provider, a later request no longer says which tool a result came from.
  const { source, tool, derivedFrom, label } = input;
  const isUnlabelled = [source, tool, derivedFrom, label].every((each) => each === undefined);
  return isUnlabelled || isAtMost(existing.label, fresh.label);
}

const MAX_BASE_LENGTH = 400;

/** The record under its id, or under an id of its own when another content has that one. */
function settle(fresh: Recorded, arrival: Arrival, context: AdmitContext): Recorded {
  const { known, onEvent } = context;
  const existing = known.get(fresh.id);
  if (existing === undefined) return fresh;
  if (isReplay(existing, fresh, arrival, context)) return existing;
  const about = canonicalJson([fresh.digest, fresh.label, fresh.source.name ?? '', fresh.derivation]);
  const base = fresh.id.length > MAX_BASE_LENGTH ? digestText(fresh.id) : fresh.id;
  // Somebody may have taken the id to come as well: then it is the next one.
  for (let count = 1; ; count++) {
    const id = `${base}.${digestText(`${about} ${count}`).slice(0, 32)}`;
    const twin = known.get(id);
    if (twin !== undefined && isReplay(twin, fresh, arrival, context)) return twin;
    if (twin !== undefined) continue;
    onEvent({ type: 'record-renamed', recordId: id, givenId: fresh.id });
    return new Recorded({ ...fresh, id });
  }
}

interface CleanInput {
  readonly id: string;
  readonly source: Source;
  readonly parts: readonly Part[];
  readonly tool: string | undefined;
  /** The labels of everything of which a code was found: who brings it has read it. */
  readonly labels: readonly Label[];
}

/** Everything of an arrival that will be stored or told, without live codes: names are chosen by somebody too. */
function clean(
  givenId: string,
  parts: readonly Part[],
  input: Omit<AdmitInput, 'content'>,
  { tools, codes }: AdmitContext,
): CleanInput {
  const newcomer = { id: givenId, partCount: parts.length };
  const given = sourceOf(input, tools);
  const id = codes.cleanText(givenId, newcomer);
  const name = codes.cleanText(given.name ?? '', newcomer);
  const tool = codes.cleanText(input.tool ?? '', newcomer);
  const cleaned = parts.map((part) => codes.cleanPart(part, newcomer));
  const { origin, confidentiality } = given;
  return {
    id: id.value,
    source: name.labels.length === 0 ? given : new Source(origin, { confidentiality, name: name.value }),
    parts: Object.freeze(cleaned.map(({ value }) => value)),
    tool: input.tool === undefined ? undefined : tool.value,
    labels: [id, name, tool, ...cleaned].flatMap(({ labels }) => labels),
  };
}

/** Words that a model writes, without frames and live codes, with the labels of whatever they were taken from. */
export function cleanWords(id: string, content: Content, context: AdmitContext): CleanInput {
  const { parts, floor } = unwrap(readContent(content), context);
  const cleaned = clean(checkId(id), parts, {}, context);
  return { ...cleaned, labels: [...floor, ...cleaned.labels] };
}

/** Takes content into a conversation: copied, opened if it is ours, cleaned of live codes, labelled, recorded. */
export function admit(input: AdmitInput, context: AdmitContext): Recorded {
  const { known, onEvent } = context;
  const ancestors = input.derivedFrom === undefined ? [] : input.derivedFrom;
  if (!Array.isArray(ancestors) || !ancestors.every(Recorded.is))
    throw new SallyportError('ERR_STAGE_SKIPPED', 'derivedFrom takes records: results of admit().');
  const unwrapped = unwrap(readContent(input.content), context);
  const cleaned = clean(checkId(input.id ?? `record-${known.size + 1}`), unwrapped.parts, input, context);
  const labels = [...ancestors.map(({ label }) => label), ...unwrapped.floor, ...cleaned.labels];
  if (input.label !== undefined) labels.push(input.label);
  const derivation = ancestors.map((ancestor) => ancestor.id);
  const { id, source, parts, tool } = cleaned;
  const fresh = new Recorded({ id, source, parts, derivation, floor: joinLabels(labels) });
  const recorded = settle(fresh, { input, opened: unwrapped.opened }, context);
  const count = cleaned.labels.length;
  if (unwrapped.floor.length > 0) onEvent({ type: 'frame-opened', recordId: recorded.id });
  if (count > 0) onEvent({ type: 'nonce-reflected', recordId: recorded.id, count });
  if (recorded.source.origin === 'unknown') onEvent({ type: 'source-unknown', recordId: recorded.id, tool });
  return recorded;
}
