import type { Content, ToolDefinition } from 'sallyport';

/** The decision that the gate must make: outcome and rule. */
type ExpectedDecision = `${'allow' | 'ask' | 'deny'} ${string}`;

/** A call that the model makes, and the tool's result if the call is allowed. */
export interface Step {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly balanced: ExpectedDecision;
  readonly strict: ExpectedDecision;
  readonly result?: Content;
}

export interface Scenario {
  /** Also the file name of the picture. */
  readonly id: string;
  readonly kind: 'hijack' | 'harmless';
  readonly title: string;
  /** Two sentences: what the user wants, and what the attacker wants. */
  readonly story: string;
  readonly user: string;
  readonly tools: readonly ToolDefinition[];
  readonly steps: readonly Step[];
}
