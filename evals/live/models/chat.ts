import type { Ask, Conversation } from '@sallyport/core';
import type { Given } from '../environment/tool.ts';

export interface Use {
  readonly id: string;
  readonly tool: string;
  readonly given: Given;
}

export interface UseResult extends Use {
  readonly text: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

interface Turn {
  readonly calls: readonly Use[];
  readonly text: string;
  readonly tokens: Tokens;
}

/** One conversation with a model, with the boundary or without it. */
export interface Chat {
  /** Sends the results of the last calls, and returns the next answer. */
  next(results: readonly UseResult[]): Promise<Turn>;
  /** Whether a call may run; without the boundary, every call may. */
  check(use: Use): Promise<{ readonly isAllowed: boolean; readonly result: string }>;
}

export interface ChatInput {
  readonly system: string;
  readonly prompt: string;
  /** The boundary's conversation; undefined for the agent without Sallyport. */
  readonly conversation: Conversation | undefined;
  readonly ask: Ask;
  /** Whether the agent's own model judges its calls. */
  readonly judge: boolean;
  /** The tools that a model with a short context is told about. Others are told about all of them. */
  readonly offered: readonly string[];
}

/** A model at an endpoint: starts a conversation for each run. */
export interface Model {
  readonly name: string;
  chat(input: ChatInput): Chat;
  /** Answers one prompt without tools: for an attacker model. */
  complete(prompt: string): Promise<string>;
}

export const allowed = { isAllowed: true, result: '' } as const;

/** The arguments of a call; none if they are not a JSON object. */
export function givenOf(json: string): Given {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {};
  } catch {
    return {};
  }
}
