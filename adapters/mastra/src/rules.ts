import { fieldsOf, isFields } from '@sallyport/core/adapter';

export type Approval = (input: unknown, context?: unknown) => PromiseLike<boolean> | boolean;

/** The members in which tools of Mastra, MCP servers and the AI SDK declare whether a person has to be asked. */
const RULES = ['needsApproval', 'requireApproval', 'needsApprovalFn'] as const;

/** The approval rules of a tool. */
export type Ruled = { readonly [K in (typeof RULES)[number]]?: boolean | Approval | undefined };

/** The approval rule of a tool. A function has priority. */
export function ruleOf(tool: Ruled): boolean | Approval {
  const rules = RULES.map((name) => tool[name]);
  return rules.find((each) => typeof each === 'function') ?? rules.includes(true);
}

/** The rule that Mastra follows when it decides whether to wait for a person before a tool runs. */
export type Decider = 'guard' | 'tool' | 'all';

/** The rules of the tools that a model was offered. Mastra ignores the general rule if a tool has its own function. */
export class Rules {
  readonly #guards = new WeakSet<Approval>();
  readonly #deciders = new Map<string, Decider>();

  guard(approval: Approval): Approval {
    this.#guards.add(approval);
    return approval;
  }

  recordTools(tools: unknown): void {
    for (const [name, tool] of Object.entries(fieldsOf(tools))) {
      const rule = isFields(tool) ? ruleOf(tool as Ruled) : false;
      if (typeof rule !== 'function') this.#deciders.set(name, 'all');
      else this.#deciders.set(name, this.#guards.has(rule) ? 'guard' : 'tool');
    }
  }

  /** Undefined for a tool that was not recorded. */
  deciderOf(name: string): Decider | undefined {
    return this.#deciders.get(name);
  }
}
