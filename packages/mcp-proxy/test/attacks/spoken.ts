import { F } from '../fixture/frames.ts';
import { POISON } from '../fixture/rig.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a server says by itself, and what the client gets of it. */
export interface SpokenAttack {
  readonly title: string;
  readonly attack: Fields;
  readonly expected: Fields;
}

const PLAN = {
  type: 'object',
  properties: { choice: { type: 'string', title: POISON, enum: ['yes', POISON], enumNames: [POISON] } },
};
const PLAN_SHOWN = {
  type: 'object',
  properties: { choice: { type: 'string', title: F(POISON), enum: ['yes', F(POISON)], enumNames: [F(POISON)] } },
};

export const spokenAttacks: readonly SpokenAttack[] = [
  {
    title: 'progress',
    attack: { method: 'notifications/progress', params: { progressToken: 'p1', progress: 0.5, message: POISON } },
    expected: { method: 'notifications/progress', params: { progressToken: 'p1', progress: 0.5, message: F(POISON) } },
  },
  {
    title: 'a log of a text',
    attack: { method: 'notifications/message', params: { level: 'info', logger: POISON, data: POISON } },
    expected: { method: 'notifications/message', params: { level: 'info', logger: F(POISON), data: F(POISON) } },
  },
  {
    title: 'a log of any JSON, with names as instructions (FIELD 6d)',
    attack: { method: 'notifications/message', params: { data: { a: [{ [POISON]: 1 }], b: POISON } } },
    expected: {
      method: 'notifications/message',
      params: { data: { a: [F(JSON.stringify({ [POISON]: 1 }))], b: F(POISON) } },
    },
  },
  {
    title: 'a notification that nobody knows',
    attack: { method: POISON, params: [POISON], [POISON]: 1, extra: POISON },
    expected: { method: F(POISON), params: [F(POISON)], extra: F(POISON) },
  },
  {
    title: 'a notification whose parameters are a text, and one whose names are',
    attack: { method: 'notifications/x', params: { [POISON]: 1 } },
    expected: { method: 'notifications/x', params: F(JSON.stringify({ [POISON]: 1 })) },
  },
  {
    title: 'the state of a task',
    attack: { method: 'notifications/tasks/status', params: { taskId: 't', status: 'failed', statusMessage: POISON } },
    expected: {
      method: 'notifications/tasks/status',
      params: { taskId: 't', status: 'failed', statusMessage: F(POISON) },
    },
  },
  {
    title: 'why a request was cancelled',
    attack: { method: 'notifications/cancelled', params: { requestId: 3, reason: POISON } },
    expected: { method: 'notifications/cancelled', params: { requestId: 3, reason: F(POISON) } },
  },
  {
    title: 'sampling: messages, the prompt of the system, tools',
    attack: {
      id: 1,
      method: 'sampling/createMessage',
      params: {
        systemPrompt: POISON,
        messages: [{ role: 'user', content: { type: 'text', text: POISON } }],
        stopSequences: [POISON],
        tools: [{ name: POISON, description: POISON, inputSchema: { properties: { [POISON]: {} } } }],
        maxTokens: 5,
      },
    },
    expected: {
      id: 1,
      method: 'sampling/createMessage',
      params: {
        systemPrompt: F(POISON),
        messages: [{ role: 'user', content: { type: 'text', text: F(POISON) } }],
        stopSequences: [F(POISON)],
        tools: [
          { name: F(POISON), description: F(POISON), inputSchema: { properties: F(JSON.stringify({ [POISON]: {} })) } },
        ],
        maxTokens: 5,
      },
    },
  },
  {
    title: 'elicitation: what a person is asked, titles and choices',
    attack: { id: 'e1', method: 'elicitation/create', params: { message: POISON, requestedSchema: PLAN } },
    expected: { id: 'e1', method: 'elicitation/create', params: { message: F(POISON), requestedSchema: PLAN_SHOWN } },
  },
  {
    title: 'elicitation by an address',
    attack: {
      id: 2,
      method: 'elicitation/create',
      params: { mode: 'url', url: `https://evil.example/${POISON}`, message: POISON },
    },
    expected: {
      id: 2,
      method: 'elicitation/create',
      params: { mode: 'url', url: F(`https://evil.example/${POISON}`), message: F(POISON) },
    },
  },
];
