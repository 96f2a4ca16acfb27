import { expect } from 'vitest';
import type { EventDetails } from '../../src/event.ts';
import {
  type BoundaryOptions,
  type ClassifierV1,
  type Conversation,
  createBoundary,
  defineTool,
  type Recorded,
  source,
} from '../../src/index.ts';
import { bare } from '../fixture/bare.ts';

const KEY = new Uint8Array(32).fill(7);
export const code = (expected: string) => expect.objectContaining({ name: 'SallyportError', code: expected });
export const tools = [
  defineTool({ name: 'fetch', origin: 'external' }),
  defineTool({ name: 'notes', origin: 'workspace', confidentiality: 'secret' }),
  defineTool({ name: 'open_data', origin: 'external', confidentiality: 'public' }),
];
export const user = source('user');

export interface TestConversation {
  readonly conversation: Conversation;
  readonly events: EventDetails[];
  readonly asked: string[];
}

export function open(options: BoundaryOptions = {}, id = 'c'): TestConversation {
  const events: EventDetails[] = [];
  const asked: string[] = [];
  const classifier: ClassifierV1 = {
    specificationVersion: 'v1',
    id: 'test',
    doClassify: ({ text }) => {
      asked.push(text);
      const at = text.indexOf('bad');
      return { spans: at < 0 ? [] : [{ start: at, end: at + 3, likelihood: 'high', tag: 'x' }] };
    },
  };
  const boundary = createBoundary({
    key: KEY,
    tools,
    classifier,
    onEvent: (event) => events.push(bare(event)),
    ...options,
  });
  return { conversation: boundary.conversation(id), events, asked };
}

export const codesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<=<[a-z_]+ )[a-z]+(?: [a-z]+){3}/g)].map(([found]) => found)),
];
export const textOf = (recorded: Recorded): string | undefined => (recorded.parts[0] as { text?: string }).text;
