import { isFields } from './part.ts';

export type Approval = (input: unknown, context?: unknown) => PromiseLike<boolean> | boolean;

/** Where tools say whether a person is to be asked: those of Mastra, those of MCP servers, and those of the AI SDK. */
const RULES = ['needsApproval', 'requireApproval', 'needsApprovalFn'] as const;

/** What the kinds of tools that Mastra takes say of approvals. */
export type Ruled = { readonly [K in (typeof RULES)[number]]?: boolean | Approval | undefined };

/** The rule of a tool: a function of it has the last word. */
export function ruleOf(tool: Ruled): boolean | Approval {
  const rules = RULES.map((name) => tool[name]);
  return rules.find((each) => typeof each === 'function') ?? rules.includes(true);
}

/** Who is heard when Mastra asks whether to wait for a person before a tool runs. */
export type Heard = 'guard' | 'tool' | 'all';

/** The rules of the tools that a model was offered. Mastra does not hear the general rule where a tool has one of its own. */
export class Rules {
  readonly #guards = new WeakSet<Approval>();
  readonly #heard = new Map<string, Heard>();

  guard(approval: Approval): Approval {
    this.#guards.add(approval);
    return approval;
  }

  see(tools: unknown): void {
    for (const [name, tool] of Object.entries(isFields(tools) ? tools : {})) {
      const rule = isFields(tool) ? ruleOf(tool as Ruled) : false;
      if (typeof rule !== 'function') this.#heard.set(name, 'all');
      else this.#heard.set(name, this.#guards.has(rule) ? 'guard' : 'tool');
    }
  }

  /** Undefined where nobody has seen the tool. */
  heardOf(name: string): Heard | undefined {
    return this.#heard.get(name);
  }
}
