import type { Conversation } from '@sallyport/core';
import type { Wire } from '../wire/wire.ts';

export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'file'; readonly mediaType: string; readonly name: string; readonly text: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string; readonly description: string };

/** What a tool of a scenario answers; an error is thrown. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'parts'; readonly parts: readonly AnswerPart[] };

export interface ScenarioTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object whose members are all texts. */
  readonly parameters: readonly string[];
  run(given: Readonly<Record<string, unknown>>): Answer;
}

/** What an agent of any framework is made of. */
export interface Setup {
  /** The address of the model server, without a path. */
  readonly url: string;
  /** undefined: the bare framework, without the boundary. */
  readonly conversation: Conversation | undefined;
  readonly system: string;
  readonly tools: readonly ScenarioTool[];
  readonly stream: boolean;
  /** What a person says to a held call. */
  readonly person: (tool: string) => 'approve' | 'decline';
  /** What an agent of an earlier process had stored. */
  readonly stored?: unknown;
}

export interface Agent {
  /** One message of the user, until the model answers in words. Persons are asked on the way. */
  say(text: string): Promise<string>;
  /** All that the framework keeps of the conversation, as plain JSON. */
  stored(): Promise<unknown>;
  /** Replaces the whole history by a summary, the way it is done with this framework. */
  compact(summary: string): Promise<void>;
}

/** A framework with its adapter. */
export interface Driver {
  readonly name: string;
  readonly wire: Wire;
  /** Scenarios that the framework makes impossible, and why. */
  readonly impossible: Readonly<Record<string, string>>;
  start(setup: Setup): Promise<Agent>;
  /** An agent whose history is held by the provider, where the framework knows such a thing. */
  startHeld?(setup: Setup): Promise<Agent>;
}
