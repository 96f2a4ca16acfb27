import type { Conversation, ToolDeclaration } from '@sallyport/core';
import type { WireFormat } from '@sallyport/testing';

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly name: string; readonly text: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string; readonly description: string };

/** The result of a scenario's tool; an error is thrown. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'parts'; readonly parts: readonly AnswerPart[] };

export interface ScenarioTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object whose members are all strings. */
  readonly parameters: readonly string[];
  run(given: Readonly<Record<string, unknown>>): Answer;
}

/** The parts of an agent in any framework. */
export interface Setup {
  /** The address of the model server, without a path. */
  readonly url: string;
  /** Undefined: the bare framework, without the boundary. */
  readonly conversation: Conversation | undefined;
  readonly system: string;
  readonly tools: readonly ScenarioTool[];
  /** What the tools do, by their names. */
  readonly declare: Readonly<Record<string, ToolDeclaration>>;
  /** A tool that the application adds to the protected ones, as one does by mistake. */
  readonly added?: ScenarioTool;
  readonly stream: boolean;
  /** The answer of a person to a held call. */
  readonly person: (tool: string) => 'approve' | 'decline';
  /** The state that an agent of an earlier process stored. */
  readonly stored?: unknown;
}

export interface Agent {
  /** Sends one message of the user, and runs until the model answers with text. Persons are asked on the way. */
  say(text: string): Promise<string>;
  /** Everything that the framework stores of the conversation, as plain JSON. */
  stored(): Promise<unknown>;
  /** Replaces the whole history with a summary, in the way of this framework. */
  compact(summary: string): Promise<void>;
}

/** A framework with its adapter. */
export interface Driver {
  readonly name: string;
  readonly format: WireFormat;
  /** Scenarios that are impossible in the framework, and why. */
  readonly impossible: Readonly<Record<string, string>>;
  start(setup: Setup): Promise<Agent>;
  /** An agent whose history the provider stores, if the framework supports it. */
  startHeld?(setup: Setup): Promise<Agent>;
}
