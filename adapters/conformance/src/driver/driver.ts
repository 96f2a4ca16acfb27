import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
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
  /** Marks a tool without a function, which the application runs elsewhere. */
  readonly isElsewhere?: boolean;
}

/** The parts of an agent in any framework. */
export interface Setup {
  /** The address of the model server, without a path. */
  readonly url: string;
  /** Undefined: the bare framework, without the boundary. */
  readonly conversation: Conversation | undefined;
  readonly system: string;
  readonly tools: readonly ScenarioTool[];
  /** The declarations of the tools, by their names. */
  readonly declare: Readonly<Record<string, ToolDeclaration>>;
  /** A tool that the application adds to the protected ones, as one does by mistake. */
  readonly added?: ScenarioTool;
  readonly stream: boolean;
  /** Lets the agent's own model judge its calls. */
  readonly judge: boolean;
  /** Is given each piece of a streamed answer when the application has it. */
  readonly onPiece?: (piece: string) => void;
  /** The answer of a person to a held call; undefined if no person is there while the agent runs. */
  readonly person: ((tool: string) => PersonAnswer) | undefined;
  /** The state that an agent of an earlier process stored. */
  readonly stored?: unknown;
  /** The value that `paused()` of an earlier process returned. */
  readonly paused?: unknown;
  /** A part that the application uses as it passed it to protect(), by mistake. */
  readonly forgotten?: Forgotten;
  /** A tool that the provider runs, which the model is offered as well. */
  readonly provided?: Provided;
}

export type Forgotten = 'model' | 'tools';

export interface Provided {
  readonly type: 'search' | 'code';
  /** Declares the tool, where it has to be declared. */
  readonly isDeclared: boolean;
}

/** The declaration of a provided tool under the provider's name for it. */
export function declarationOf(provided: Provided | undefined, name: string): Setup['declare'] {
  return provided?.isDeclared === true ? { [name]: { origin: 'external', effect: 'read' } } : {};
}

export type PersonAnswer = 'approve' | 'decline';

export interface Agent {
  /**
   * Sends one message of the user, and runs until the model answers with text. Persons are asked on the way; if none is there, a run
   * that waits for one ends.
   */
  say(text: string): Promise<string>;
  /** Everything that the framework stores of the conversation, as plain JSON. */
  stored(): Promise<unknown>;
  /** Replaces the whole history with a summary, in the way of this framework. */
  compact(summary: string): Promise<void>;
  /** The tools of calls that the last run handed to the application, which may make them; not there if a framework has no such calls. */
  handedOver?(): Promise<readonly string[]>;
  /** Everything that another process needs to resume a run that waits; not there if the framework cannot pause a run. */
  paused?(): Promise<unknown>;
  /** Goes on with the paused run that the agent was started with, in the way of this framework. */
  resume?(answer: PersonAnswer): Promise<string>;
}

/** A framework with its adapter. */
export interface Driver {
  readonly name: string;
  readonly format: WireFormat;
  /** Scenarios that are impossible in the framework, and why. */
  readonly impossible: Readonly<Record<string, string>>;
  start(setup: Setup): Promise<Agent>;
  /** A stored history without its calls and their results, as an application prunes it. */
  pruned(stored: never): unknown;
  /** An agent whose history the provider stores, if the framework supports it. */
  startHeld?(setup: Setup): Promise<Agent>;
  /** The same framework over an API whose provider runs tools, if `format` has none. */
  readonly providing?: Pick<Driver, 'format' | 'start'>;
}

/** The option of adapters that ask a person while a call waits. */
export function askOf(person: Setup['person']): { readonly ask?: Ask } {
  if (person === undefined) return {};
  return { ask: ({ call }) => (person(call.tool) === 'approve' ? { by: 'Ann' } : undefined) };
}
