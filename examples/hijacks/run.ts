import { createBoundary, defineTool, prompt } from 'sallyport';
import type { Span } from 'sallyport/stages';
import type { Scenario, Step } from './scenario.ts';

export type Preset = 'balanced' | 'strict';

type Conversation = ReturnType<ReturnType<typeof createBoundary>['conversation']>;
type Decision = Awaited<ReturnType<Conversation['check']>>;
type Argument = Decision['arguments'][number];

/** A text as the model reads it. */
export interface ReadEvent {
  readonly type: 'read';
  readonly recordId: string;
  /** Undefined for the user's message. */
  readonly tool: string | undefined;
  readonly origin: string;
  readonly isJson: boolean;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** One value of a call, and where its words occur. */
interface TracedValue {
  readonly path: string;
  readonly value: string;
  readonly trust: string;
  readonly vouchedBy: string | undefined;
  readonly isFree: boolean;
  readonly place: { readonly recordId: string; readonly start: number; readonly end: number } | undefined;
}

export interface CallEvent {
  readonly type: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly effect: string;
  readonly values: readonly TracedValue[];
  readonly decision: Pick<Decision, 'outcome' | 'rule' | 'reason' | 'evidence'>;
}

export type Event = ReadEvent | CallEvent;

/** The position that the gate shows as evidence: the first occurrence with the value's trust class. */
function placeOf({ provenance: { trust, pieces } }: Argument): TracedValue['place'] {
  const piece = pieces.find((each) => each.trust === trust) ?? pieces[0];
  return piece?.occurrences.find((each) => each.trust === trust) ?? piece?.occurrences[0];
}

function tracedValue(argument: Argument): TracedValue {
  const { path, text, isFree, provenance } = argument;
  const { trust, vouchedBy } = provenance;
  return { path, value: text, trust, vouchedBy, isFree, place: placeOf(argument) };
}

/** Renders a request with everything added so far, and returns the texts that are new in it. */
async function read(conversation: Conversation, seen: Set<string>): Promise<ReadEvent[]> {
  const { entries } = await conversation.request({ policy: prompt`You carry out tasks for one person.` });
  return entries
    .filter(({ record }) => !seen.has(record.id))
    .map(({ record, framed }) => {
      seen.add(record.id);
      const [part] = framed.quoted.classified.parts;
      if (part === undefined) throw new Error(`record ${record.id} has no part`);
      const { limited, verdict } = part;
      const { origin, name: tool } = record.source;
      const spans = verdict.type === 'checked' ? verdict.spans : [];
      const isJson = limited.part.type === 'json';
      return { type: 'read', recordId: record.id, tool, origin, isJson, text: limited.text, spans };
    });
}

async function checkStep(conversation: Conversation, { tool, arguments: given }: Step, id: string) {
  const call = conversation.recordCall({ id, tool, arguments: given });
  const { outcome, rule, reason, evidence, arguments: traced } = await conversation.check(call);
  return { values: traced.map(tracedValue), decision: { outcome, rule, reason, evidence } };
}

/** Plays a scenario with the real boundary. The result of a held call is not added. */
export async function run(scenario: Scenario, preset: Preset): Promise<readonly Event[]> {
  const tools = scenario.tools.map(defineTool);
  const conversation = createBoundary({ tools, gate: { preset } }).conversation(scenario.id);
  const seen = new Set<string>();
  conversation.addUserMessage(scenario.user, { id: 'user' });
  const events: Event[] = await read(conversation, seen);
  for (const [index, step] of scenario.steps.entries()) {
    const { tool, result } = step;
    const callId = `call_${index + 1}`;
    const effect = tools.find(({ name }) => name === tool)?.effect ?? 'undeclared';
    const { values, decision } = await checkStep(conversation, step, callId);
    events.push({ type: 'call', callId, tool, effect, values, decision });
    if (decision.outcome !== 'allow' || result === undefined) continue;
    conversation.addToolResult({ id: callId, tool, content: result });
    events.push(...(await read(conversation, seen)));
  }
  return events;
}
