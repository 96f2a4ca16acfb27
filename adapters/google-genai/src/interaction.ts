import { type Content, type Conversation, source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, type Media, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { Calls } from './calls.ts';
import { stepPartOf } from './part.ts';
import { outputOf } from './result.ts';
import { framesOf } from './show.ts';
import { ATTACHED, checkedListOf, type PositionedTurn, unseen } from './turns.ts';

const FILES = ['audio', 'document', 'image', 'video'];
/** The members that identify a result. All others are shown in a frame, or not at all. */
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
  return Array.isArray(result) ? result.map(stepPartOf) : outputOf(result);
}

/** The turns of a step of the model or its provider. The model's own words are not a turn; results of provider tools were read. */
function providerTurns(type: string, step: Fields): Turn[] | undefined {
  if (type === 'model_output' || type === 'thought' || type.endsWith('_call')) return [];
  if (!type.endsWith('_result')) return undefined;
  return [{ type: 'content', source: source('external', { name: type }), content: { json: step.result ?? null } }];
}

/** Records results of provider tools among the steps of an answer. */
export async function recordSteps(conversation: Conversation, steps: readonly unknown[]): Promise<void> {
  for (const step of steps.filter(isFields)) {
    const type = String(step.type);
    if (type === 'function_result' || !type.endsWith('_result') || step.result === undefined) continue;
    const content = { json: step.result };
    await conversation.frame(conversation.addContent({ source: source('external', { name: type }), content }));
  }
}

function stepTurns(step: unknown, at: number, calls: Calls): PositionedTurn[] {
  const position = String(at);
  const fields: Fields = isFields(step) ? step : { type: typeof step };
  const { type, id, name, arguments: args, call_id: callId, content, result } = fields;
  const unpositioned = (turns: readonly Turn[]): PositionedTurn[] =>
    turns.map((turn) => ({ turn, position: undefined }));
  if (type === 'function_call') return unpositioned([calls.call({ id, name, args })]);
  if (type === 'function_result') {
    const answered = calls.answered({ id: callId, name });
    return [{ turn: { type: 'result', ...answered, content: resultOf(result) }, position }];
  }
  if (type === 'user_input') return unpositioned(userTurns(content ?? []));
  if (type === 'text' || FILES.includes(String(type))) return unpositioned(userTurns(step));
  const turns = providerTurns(String(type), fields);
  if (turns !== undefined) return unpositioned(turns);
  return [{ turn: { type: 'content', source: ATTACHED, content: { json: step } }, position }];
}

/** The bytes that follow a frame. All other members are dropped, because an outsider may have chosen them. */
function bareStepMedia(part: unknown, { mediaType, data }: Media): Fields {
  const type = FILES.find((each) => fieldsOf(part).type === each) ?? 'document';
  return { type, mime_type: mediaType, data };
}

/** The parts of a result with their frames. Bytes follow their frame. */
function framedParts(parts: readonly unknown[], { pieces }: Framed): readonly unknown[] {
  return pieces.flatMap(({ text, media }, index) => {
    const part = { type: 'text', text };
    return media === undefined ? [part] : [part, bareStepMedia(parts[index], media)];
  });
}

function shownStep(step: unknown, framed: Framed | undefined): unknown {
  if (!isFields(step) || step.type !== 'function_result')
    // A step of an unknown type is sent as a framed text.
    return framed === undefined ? step : { type: 'user_input', content: [{ type: 'text', text: framed.text }] };
  const { result } = step;
  const about = Object.fromEntries(Object.entries(step).filter(([name]) => ABOUT.includes(name)));
  // A refusal of ours has no frame.
  if (framed === undefined) return { ...about, result };
  return { ...about, result: Array.isArray(result) ? framedParts(result, framed) : framed.text };
}

/** Tools that the provider runs, and content that it stores. */
function unseenIn({ tools, agent, environment, cached_content: cached }: Fields): Turn[] {
  const types = checkedListOf(tools, 'tools').map((tool) => (isFields(tool) ? String(tool.type) : 'tool'));
  const others = Object.entries({ agent, environment, cached_content: cached });
  const names = others.filter(([, value]) => value !== undefined).map(([name]) => name);
  return unseen([...types.filter((type) => type !== 'function'), ...names]);
}

interface ReadBody {
  readonly system: string;
  readonly steps: readonly unknown[];
  /** The turn of an input that is one text, and not a list. */
  readonly turns: readonly Turn[];
}

function readBody({ input, system_instruction: system = '' }: Fields): ReadBody {
  if (typeof system !== 'string')
    throw new TypeError(`\`system_instruction\` must be a string; received ${typeof system}.`);
  if (typeof input === 'string') return { system, steps: [], turns: [{ type: 'user', content: input }] };
  return { system, steps: isFields(input) ? [input] : checkedListOf(input, 'input'), turns: [] };
}

/** The body of an interaction that the model is sent. The provider may store the history before it. */
export async function showInteraction(conversation: Conversation, body: Fields): Promise<Fields> {
  if (body.previous_interaction_id !== undefined && conversation.records.length === 0)
    throw new Error(
      'The provider stores the history of this interaction, so it is not known what the model has read. ' +
        'Call restore() with the snapshot of the conversation first.',
    );
  const { system, steps, turns } = readBody(body);
  const calls = new Calls();
  const positioned = steps.flatMap((step, at) => stepTurns(step, at, calls));
  const policy: Turn = { type: 'policy', text: system };
  const frames = await framesOf(conversation, [policy, ...unseenIn(body), ...turns], positioned);
  const shown = steps.map((step, at) => shownStep(step, frames.get(String(at))));
  const input = shown.some((step, at) => step !== steps[at]) ? { input: shown } : {};
  return { ...body, ...input, system_instruction: withReadingRules(system) };
}
