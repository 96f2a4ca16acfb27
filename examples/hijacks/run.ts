import { createBoundary, defineTool, prompt } from 'sallyport';
import type { Span } from 'sallyport/stages';
import type { Scenario, Step } from './scenario.ts';

export type Preset = 'balanced' | 'strict';

type Conversation = ReturnType<ReturnType<typeof createBoundary>['conversation']>;
type Decision = Awaited<ReturnType<Conversation['check']>>;
type Argument = Decision['arguments'][number];

/** Something that the model has read, as it was shown. */
export interface ReadEvent {
  readonly type: 'read';
  readonly recordId: string;
  /** Undefined for what the user said. */
  readonly tool: string | undefined;
  readonly origin: string;
  readonly isJson: boolean;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** One value of a call, and the place where its words stand. */
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

/** The place that the gate shows as evidence: one of the worst standing. */
function placeOf({ provenance: { trust, pieces } }: Argument): TracedValue['place'] {
  const piece = pieces.find((each) => each.trust === trust) ?? pieces[0];
  return piece?.occurrences.find((each) => each.trust === trust) ?? piece?.occurrences[0];
}

function tracedValue(argument: Argument): TracedValue {
  const { path, text, isFree, provenance } = argument;
  const { trust, vouchedBy } = provenance;
  return { path, value: text, trust, vouchedBy, isFree, place: placeOf(argument) };
}

/** Lets the model read all that has come in, and says what is new. */
async function read(conversation: Conversation, known: Set<string>): Promise<ReadEvent[]> {
  const { entries } = await conversation.request({ policy: prompt`You run errands for one person.` });
  return entries
    .filter(({ record }) => !known.has(record.id))
    .map(({ record, framed }) => {
      known.add(record.id);
      const [part] = framed.quoted.classified.parts;
      if (part === undefined) throw new Error(`record ${record.id} has no part`);
      const { limited, verdict } = part;
      const { origin, name: tool } = record.source;
      const spans = verdict.type === 'checked' ? verdict.spans : [];
      const isJson = limited.part.type === 'json';
      return { type: 'read', recordId: record.id, tool, origin, isJson, text: limited.text, spans };
    });
}

async function propose(conversation: Conversation, { tool, arguments: given }: Step, id: string) {
  const call = conversation.recordCall({ id, tool, arguments: given });
  const { outcome, rule, reason, evidence, arguments: traced } = await conversation.check(call);
  return { values: traced.map(tracedValue), decision: { outcome, rule, reason, evidence } };
}

/** Plays a scenario with the real boundary. What a held call would have brought never comes in. */
export async function run(scenario: Scenario, preset: Preset): Promise<readonly Event[]> {
  const tools = scenario.tools.map(defineTool);
  const conversation = createBoundary({ tools, gate: { preset } }).conversation(scenario.id);
  const known = new Set<string>();
  conversation.addUserMessage(scenario.user, { id: 'user' });
  const events: Event[] = await read(conversation, known);
  for (const [index, step] of scenario.steps.entries()) {
    const { tool, result } = step;
    const callId = `call_${index + 1}`;
    const effect = tools.find(({ name }) => name === tool)?.effect ?? 'undeclared';
    const { values, decision } = await propose(conversation, step, callId);
    events.push({ type: 'call', callId, tool, effect, values, decision });
    if (decision.outcome !== 'allow' || result === undefined) continue;
    conversation.addToolResult({ id: callId, tool, content: result });
    events.push(...(await read(conversation, known)));
  }
  return events;
}
