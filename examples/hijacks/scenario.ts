import type { Content, ToolDefinition } from 'sallyport';

/** What the gate is to say: the outcome and the rule that it names. */
type Derivation = `${'allow' | 'ask' | 'deny'} ${string}`;

/** A call that the model proposes, and what the tool would bring if it is let through. */
export interface Step {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly balanced: Derivation;
  readonly strict: Derivation;
  readonly result?: Content;
}

export interface Scenario {
  /** Names its picture. */
  readonly id: string;
  readonly kind: 'hijack' | 'harmless';
  readonly title: string;
  /** Two sentences: what the user wants, and what somebody else wants. */
  readonly story: string;
  readonly user: string;
  readonly tools: readonly ToolDefinition[];
  readonly steps: readonly Step[];
}
