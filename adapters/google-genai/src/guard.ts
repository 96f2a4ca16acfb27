import type { CallableTool, FunctionCall, Part, ToolUnion } from '@google/genai';
import type { Ask, Conversation, Decision } from '@sallyport/core';
import type { ReplyCalls } from './calls.ts';
import { isCallable, offeredTools, unprotected } from './offered.ts';

interface Gate {
  readonly conversation: Conversation;
  readonly replyCalls: ReplyCalls;
  readonly ask: Ask | undefined;
}

interface CheckedCall {
  /** The copy that was checked. */
  readonly call: FunctionCall;
  readonly decision: Decision;
}

/** The conversation whose gate is in a `callTool` function. */
const gates = new WeakMap<object, Conversation>();

/** Checks the calls of this tool, all before the first is made. The SDK passes all calls of a turn to every tool. */
async function check(
  { conversation, replyCalls, ask }: Gate,
  tool: CallableTool,
  calls: FunctionCall[],
): Promise<CheckedCall[]> {
  if (!conversation.hasRendered)
    throw new Error(
      'No request has passed through the boundary, so it is not known what the model has read. ' +
        'Use the client that protect() returned, with version 2.23 or later of @google/genai.',
    );
  const { functionDeclarations = [] } = await tool.tool();
  const checked: CheckedCall[] = [];
  for (const given of calls) {
    const { call, turn } = replyCalls.copy(given);
    if (!functionDeclarations.some(({ name }) => name === call.name)) continue;
    checked.push({ call, decision: await conversation.check(turn, { ask }) });
  }
  return checked;
}

function refusal({ call: { id, name }, decision }: CheckedCall): Part {
  const about = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
  return { functionResponse: { ...about, response: { error: decision.result } } };
}

async function answersOf(tool: CallableTool, calls: FunctionCall[]): Promise<Part[]> {
  const parts = calls.length === 0 ? [] : await tool.callTool(calls);
  if (parts.length > 0 && !parts.some(({ functionResponse }) => functionResponse !== undefined))
    throw new TypeError(
      'The parts that a tool returns must include a functionResponse: other parts would pass for the words of the user.',
    );
  return parts;
}

/** Makes the allowed calls. Responses keep the order of the calls, because without ids only the order relates them. */
async function run(tool: CallableTool, checked: readonly CheckedCall[]): Promise<Part[]> {
  const parts: Part[] = [];
  let batch: FunctionCall[] = [];
  for (const each of checked) {
    if (each.decision.outcome === 'allow') {
      batch.push(each.call);
      continue;
    }
    parts.push(...(await answersOf(tool, batch)), refusal(each));
    batch = [];
  }
  return [...parts, ...(await answersOf(tool, batch))];
}

/** The same tools, gated. A tool that is not a CallableTool is returned unchanged: it does not run here. */
export function guardTools(gate: Gate, tools: readonly ToolUnion[]): ToolUnion[] {
  return tools.map((tool) => {
    if (!isCallable(tool)) return tool;
    const callTool = async (calls: FunctionCall[]): Promise<Part[]> => run(tool, await check(gate, tool, calls));
    gates.set(callTool, gate.conversation);
    return { tool: () => tool.tool(), callTool };
  });
}

/** Refuses tools that would run without the gate of this conversation. */
export async function checkGuarded(conversation: Conversation, tools: readonly ToolUnion[]): Promise<void> {
  const bare = tools.filter((tool) => isCallable(tool) && gates.get(tool.callTool) !== conversation);
  if (bare.length > 0) throw unprotected(...(await offeredTools(bare)).map(({ name }) => name));
}
