import type { Generate, GenerateRequest } from '../../src/adapter.ts';
import {
  type Authorize,
  type BoundaryEvent,
  type BoundaryOptions,
  type Conversation,
  createBoundary,
  defineTool,
} from '../../src/index.ts';
import { signs } from '../world.ts';

export const IBAN = 'DE75512108001245126199';

const TOOLS = [
  defineTool({ name: 'list_mails', origin: 'external', effect: 'read', sender: '/*/from' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] }),
  defineTool({ name: 'pay', description: 'Transfers money.', origin: 'workspace', effect: 'spend' }),
];

export const NOTHING = { tools: [], people: [], values: [], delegates: [] };

/** A model that answers every request alike, and what it was asked. */
export function scripted(answer: unknown): { readonly generate: Generate; readonly requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  const generate: Generate = async (request) => {
    requests.push(request);
    return typeof answer === 'string' ? answer : JSON.stringify({ ...NOTHING, ...(answer as object) });
  };
  return { generate, requests };
}

export function open(authorize: Authorize | undefined, options: BoundaryOptions = {}) {
  const events: BoundaryEvent[] = [];
  const boundary = createBoundary({
    tools: TOOLS,
    classifier: signs,
    onEvent: (event) => events.push(event),
    ...(authorize && { authorize }),
    ...options,
  });
  const failures = () => events.filter(({ type }) => type === 'authorize-failed');
  return { boundary, conversation: boundary.conversation('c'), failures };
}

export async function decided(conversation: Conversation, tool: string, given: object): Promise<string> {
  const { outcome, cell } = await conversation.check({ id: 'call', tool, arguments: given });
  return `${outcome} ${cell}`;
}
