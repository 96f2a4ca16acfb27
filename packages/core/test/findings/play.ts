import {
  type BoundaryEvent,
  type Content,
  createBoundary,
  type Decision,
  dangerouslyTrust,
  defineTool,
  type GateOptions,
  prompt,
} from '../../src/index.ts';
import { signs } from '../world.ts';

const TOOLS = [
  defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
  defineTool({ name: 'read_doc', origin: 'workspace', effect: 'read' }),
  defineTool({
    name: 'get_invoice',
    origin: 'external',
    effect: 'read',
    serviceFields: { '/id': 'id', '/account': 'code', '/amount': 'number', '/email': 'email' },
  }),
  defineTool({ name: 'fetch_page', origin: 'external', effect: 'fetch' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] }),
  defineTool({ name: 'post_message', origin: 'workspace', effect: 'send', modelText: ['text'] }),
  defineTool({ name: 'post', origin: 'external', effect: 'send' }),
  defineTool({ name: 'share', origin: 'workspace', effect: 'send' }),
  defineTool({ name: 'write_file', origin: 'workspace', effect: 'write', modelText: ['text'] }),
  defineTool({ name: 'pay', origin: 'workspace', effect: 'spend', modelText: ['message'] }),
  defineTool({ name: 'confirm_order', origin: 'workspace', effect: 'spend' }),
  defineTool({ name: 'delete_file', origin: 'workspace', effect: 'destroy' }),
  defineTool({ name: 'delete_files', origin: 'workspace', effect: 'destroy' }),
  defineTool({ name: 'delete_database', origin: 'workspace', effect: 'destroy' }),
  defineTool({ name: 'cancel_order', origin: 'workspace', effect: 'destroy' }),
  defineTool({ name: 'sql', origin: 'workspace', effect: 'destroy' }),
  defineTool({ name: 'shell', origin: 'workspace', effect: 'execute' }),
];

export interface Scene extends GateOptions {
  /** Empty: the boundary does not hear the user. */
  readonly user: string;
  readonly policy?: string;
  /** The results of tools that the model reads before the call, in their order, and how the tools were called. */
  readonly read?: readonly (readonly [tool: string, content: Content, given?: object])[];
  readonly call: readonly [tool: string, given: unknown];
}

/** Plays a conversation up to one call, and returns the decision about it and all events. */
export async function play({ user, policy = 'You help.', read = [], call: [tool, given], ...gate }: Scene) {
  const events: BoundaryEvent[] = [];
  const boundary = createBoundary({ tools: TOOLS, classifier: signs, gate, onEvent: (event) => events.push(event) });
  const conversation = boundary.conversation('c');
  const request = { policy: prompt[dangerouslyTrust](policy) };
  if (user !== '') conversation.addUserMessage(user);
  await conversation.request(request);
  for (const [index, [name, content, asked = {}]] of read.entries()) {
    await conversation.check({ id: `read-${index}`, tool: name, arguments: asked });
    conversation.addToolResult({ id: `read-${index}`, tool: name, content });
    await conversation.request(request);
  }
  return { decision: await conversation.check({ id: 'call', tool, arguments: given }), events };
}

/** `ask spend, content`, or the rule where no cell decided. */
export async function decided(scene: Scene): Promise<string> {
  const { outcome, rule }: Decision = (await play(scene)).decision;
  return `${outcome} ${rule}`;
}

export interface Row {
  readonly title: string;
  /** What the user says, and what the model reads. */
  readonly origin: Pick<Scene, 'user' | 'read'>;
  readonly payload: readonly [tool: string, given: unknown];
  readonly expected: string;
}
