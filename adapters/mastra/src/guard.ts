import type { ToolsInput } from '@mastra/core/agent';
import type { Gate } from './gate.ts';

type Execute = (input: unknown, context: unknown) => unknown;
type Approval = (input: unknown, context?: unknown) => PromiseLike<boolean> | boolean;

/** What the kinds of tools that Mastra takes have in common. */
interface AnyTool {
  readonly execute?: Execute;
  readonly requireApproval?: boolean | Approval;
  readonly needsApprovalFn?: Approval;
  /** The name of it in the AI SDK. */
  readonly needsApproval?: boolean | Approval;
}

/** The name under which a model is offered a tool: Mastra makes it fit. */
export function nameOf(key: string): string {
  const fitting = key.replace(/[^a-zA-Z0-9_-]/g, '_');
  return (/^[a-zA-Z_]/.test(fitting) ? fitting : `_${fitting}`).slice(0, 63);
}

/** Whether the tool itself wants a person to be asked: a function of it has the last word, as in Mastra. */
async function isOwn({ needsApproval, requireApproval, needsApprovalFn }: AnyTool, ...given: Parameters<Approval>) {
  const rules = [needsApproval, requireApproval, needsApprovalFn];
  const rule = rules.find((each) => typeof each === 'function');
  return rule === undefined ? rules.includes(true) : rule(...given);
}

function guarded(gate: Gate, name: string, tool: AnyTool): AnyTool {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const approval: Approval = async (input, context) => gate.isHeld(name, input, await isOwn(tool, input, context));
  const guards: AnyTool = {
    requireApproval: approval,
    needsApprovalFn: approval,
    ...('needsApproval' in tool ? { needsApproval: approval } : {}),
    async execute(input, context) {
      const refusal = await gate.refusalOf(name, input, context);
      if (refusal !== undefined) throw new Error(refusal);
      return execute.call(tool, input, context);
    },
  };
  // Mastra knows its tools by their class.
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, guards);
}

/** The same tools behind the gate. */
export function guardTools<T extends ToolsInput>(gate: Gate, tools: T): T {
  const entries = Object.entries(tools).map(([key, tool]) => [key, guarded(gate, nameOf(key), tool as AnyTool)]);
  return Object.fromEntries(entries) as T;
}
