import type { CallableTool, FunctionCall, Part, ToolUnion } from '@google/genai';
import type { Ask, Conversation, Decision } from '@sallyport/core';
import type { Coming } from './calls.ts';

interface Gate {
  readonly conversation: Conversation;
  readonly coming: Coming;
  readonly ask: Ask | undefined;
}

interface Judged {
  /** The copy that was judged. */
  readonly call: FunctionCall;
  readonly decision: Decision;
}

function isCallable(tool: ToolUnion): tool is CallableTool {
  return 'callTool' in tool && typeof tool.callTool === 'function';
}

/** The calls that are this tool's: the SDK hands all calls of a turn to every tool. All are judged before one is made. */
async function judge(
  { conversation, coming, ask }: Gate,
  tool: CallableTool,
  calls: FunctionCall[],
): Promise<Judged[]> {
  if (!conversation.hasRendered)
    throw new Error(
      'No request has passed the boundary, so nobody knows what the model has read. ' +
        'Give fetch to new GoogleGenAI({ httpOptions: { fetch } }), which takes it from version 2.23 on.',
    );
  const { functionDeclarations = [] } = await tool.tool();
  const judged: Judged[] = [];
  for (const given of calls) {
    const { call, turn } = coming.arrived(given);
    if (!functionDeclarations.some(({ name }) => name === call.name)) continue;
    judged.push({ call, decision: await conversation.check(turn, { ask }) });
  }
  return judged;
}

function refusal({ call: { id, name }, decision }: Judged): Part {
  const about = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
  return { functionResponse: { ...about, response: { error: decision.result } } };
}

async function answersOf(tool: CallableTool, calls: FunctionCall[]): Promise<Part[]> {
  const parts = calls.length === 0 ? [] : await tool.callTool(calls);
  if (parts.length > 0 && !parts.some(({ functionResponse }) => functionResponse !== undefined))
    throw new TypeError('A tool answered without a functionResponse: its words would pass for those of the user.');
  return parts;
}

/** Makes the calls that may be made. Answers keep the order of the calls: without ids nothing else says which is whose. */
async function make(tool: CallableTool, judged: readonly Judged[]): Promise<Part[]> {
  const parts: Part[] = [];
  let batch: FunctionCall[] = [];
  for (const each of judged) {
    if (each.decision.outcome === 'allow') {
      batch.push(each.call);
      continue;
    }
    parts.push(...(await answersOf(tool, batch)), refusal(each));
    batch = [];
  }
  return [...parts, ...(await answersOf(tool, batch))];
}

/** The same tools behind the gate. What is no CallableTool is left as it is: nobody here runs it. */
export function guardTools(gate: Gate, tools: readonly ToolUnion[]): ToolUnion[] {
  return tools.map((tool) => {
    if (!isCallable(tool)) return tool;
    return { tool: () => tool.tool(), callTool: async (calls) => make(tool, await judge(gate, tool, calls)) };
  });
}
