import type { ToolsInput } from '@mastra/core/agent';
import type { Gate } from './gate.ts';
import { runOf } from './recall.ts';
import { type Approval, type Ruled, type Rules, ruleOf } from './rules.ts';

type Execute = (input: unknown, context: unknown) => unknown;

/** The common members of the tools that Mastra accepts. */
interface AnyTool extends Ruled {
  readonly execute?: Execute;
}

/** The name under which a model is offered a tool: Mastra replaces invalid characters. */
export function nameOf(key: string): string {
  const fitting = key.replace(/[^a-zA-Z0-9_-]/g, '_');
  return (/^[a-zA-Z_]/.test(fitting) ? fitting : `_${fitting}`).slice(0, 63);
}

function guarded(gate: Gate, rules: Rules, name: string, tool: AnyTool): AnyTool {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const approval: Approval = rules.guard(async (input, context) => {
    gate.expect(runOf(context), name, input);
    const rule = ruleOf(tool);
    return gate.isHeld(name, input, typeof rule === 'function' ? await rule(input, context) : rule);
  });
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
  // Mastra recognizes its tools by their class.
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, guards);
}

/** Refuses tools that neither Mastra nor the provider runs: Mastra hands your program their calls without asking. */
export function checkExecutable(tools: ToolsInput): void {
  for (const [key, tool] of Object.entries(tools)) {
    const { execute, type } = tool as { execute?: unknown; type?: unknown };
    if (execute === undefined && !String(type).startsWith('provider'))
      throw new TypeError(
        `The tool ${key} has no function, so its calls would not be checked. Give it an \`execute\` that suspends the run until your page has answered.`,
      );
  }
}

/** The same tools, gated. */
export function guardTools<T extends ToolsInput>(gate: Gate, rules: Rules, tools: T): T {
  const entries = Object.entries(tools).map(([key, tool]) => [key, guarded(gate, rules, nameOf(key), tool as AnyTool)]);
  return Object.fromEntries(entries) as T;
}
