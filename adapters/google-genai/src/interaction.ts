import { type Content, type Conversation, source, type Turn } from '@sallyport/core';
import { type Media, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { Calls } from './calls.ts';
import { type Fields, isFields, stepPartOf } from './part.ts';
import { saidIn } from './result.ts';
import { framesOf } from './show.ts';
import { ATTACHED, listOf, type Placed, unseen } from './turns.ts';

const FILES = ['audio', 'document', 'image', 'video'];
/** What of a result says which one it is. All else in it is shown in a frame, or not at all. */
const ABOUT = ['type', 'call_id', 'name', 'is_error'];

function userTurns(content: unknown): Turn[] {
  const list = Array.isArray(content) ? content : [content];
  return list.map((part) => {
    const read = typeof part === 'string' ? { type: 'text' as const, text: part } : stepPartOf(part);
    if (read.type === 'text') return { type: 'user', content: read.text };
    return { type: 'content', source: ATTACHED, content: [read] };
  });
}

function resultOf(result: unknown): Content {
  return Array.isArray(result) ? result.map(stepPartOf) : saidIn(result);
}

/** What the model or its provider did. The model's own words are no turn; what the provider ran was read. */
function providerTurns(type: string, step: Fields): Turn[] | undefined {
  if (type === 'model_output' || type === 'thought' || type.endsWith('_call')) return [];
  if (!type.endsWith('_result')) return undefined;
  return [{ type: 'content', source: source('external', { name: type }), content: { json: step.result ?? null } }];
}

function stepTurns(step: unknown, at: number, calls: Calls): Placed[] {
  const place = String(at);
  const fields: Fields = isFields(step) ? step : { type: typeof step };
  const { type, id, name, arguments: args, call_id: callId, content, result } = fields;
  const unplaced = (turns: readonly Turn[]): Placed[] => turns.map((turn) => ({ turn, place: undefined }));
  if (type === 'function_call') return unplaced([calls.call({ id, name, args })]);
  if (type === 'function_result') {
    const answered = calls.answered({ id: callId, name });
    return [{ turn: { type: 'result', ...answered, content: resultOf(result) }, place }];
  }
  if (type === 'user_input') return unplaced(userTurns(content ?? []));
  if (type === 'text' || FILES.includes(String(type))) return unplaced(userTurns(step));
  const turns = providerTurns(String(type), fields);
  if (turns !== undefined) return unplaced(turns);
  return [{ turn: { type: 'content', source: ATTACHED, content: { json: step } }, place }];
}

/** Media as it goes beside its frame: whatever else stood there is a text that an outsider chose. */
function bareStepMedia(part: unknown, { mediaType, data }: Media): Fields {
  const type = FILES.find((each) => isFields(part) && part.type === each) ?? 'document';
  return { type, mime_type: mediaType, data };
}

/** The parts of a result with their frames, and media beside them. */
function framedParts(parts: readonly unknown[], { pieces }: Framed): readonly unknown[] {
  return pieces.flatMap(({ text, media }, index) => {
    const part = { type: 'text', text };
    return media === undefined ? [part] : [part, bareStepMedia(parts[index], media)];
  });
}

function shownStep(step: unknown, framed: Framed | undefined): unknown {
  if (!isFields(step) || step.type !== 'function_result')
    // What nobody knows is shown as a text.
    return framed === undefined ? step : { type: 'user_input', content: [{ type: 'text', text: framed.text }] };
  const { result } = step;
  const about = Object.fromEntries(Object.entries(step).filter(([name]) => ABOUT.includes(name)));
  // A refusal of ours has no frame.
  if (framed === undefined) return { ...about, result };
  return { ...about, result: Array.isArray(result) ? framedParts(result, framed) : framed.text };
}

/** Whatever the provider runs, holds, or is. */
function unseenIn({ tools, agent, environment, cached_content: cached }: Fields): Turn[] {
  const types = listOf(tools, 'tools').map((tool) => (isFields(tool) ? String(tool.type) : 'tool'));
  const others = Object.entries({ agent, environment, cached_content: cached });
  const names = others.filter(([, value]) => value !== undefined).map(([name]) => name);
  return unseen([...types.filter((type) => type !== 'function'), ...names]);
}

interface Said {
  readonly system: string;
  readonly steps: readonly unknown[];
  /** Where the input is one text, and not a list. */
  readonly turns: readonly Turn[];
}

function saidBy({ input, system_instruction: system = '' }: Fields): Said {
  if (typeof system !== 'string')
    throw new TypeError('system_instruction is no text: the reading rules have no place.');
  if (typeof input === 'string') return { system, steps: [], turns: [{ type: 'user', content: input }] };
  return { system, steps: isFields(input) ? [input] : listOf(input, 'input'), turns: [] };
}

/** The body of a new interaction as the model is to be shown it. What came before it may be held by the provider. */
export async function showInteraction(conversation: Conversation, body: Fields): Promise<Fields> {
  if (body.previous_interaction_id !== undefined && conversation.records.length === 0)
    throw new Error(
      'The provider holds what this interaction goes on from, and nobody here knows what the model has read: ' +
        'restore() the snapshot of the conversation first.',
    );
  const { system, steps, turns } = saidBy(body);
  const calls = new Calls();
  const placed = steps.flatMap((step, at) => stepTurns(step, at, calls));
  const policy: Turn = { type: 'policy', text: system };
  const frames = await framesOf(conversation, [policy, ...unseenIn(body), ...turns], placed);
  const shown = steps.map((step, at) => shownStep(step, frames.get(String(at))));
  const input = shown.some((step, at) => step !== steps[at]) ? { input: shown } : {};
  return { ...body, ...input, system_instruction: withReadingRules(system) };
}
