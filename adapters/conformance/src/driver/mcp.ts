import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Conversation, Turn } from '@sallyport/core';
import { type ToolDescriptions, toolDescriptions, withReadingRules } from '@sallyport/core/adapter';
import type { Framed } from '@sallyport/core/stages';
import { contentOf, META, protect } from '@sallyport/mcp';
import { z } from 'zod';
import {
  type Agent,
  type Answer,
  type AnswerPart,
  askOf,
  type Driver,
  type ScenarioTool,
  type Setup,
} from './driver.ts';

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];
type Block = Awaited<ReturnType<Client['callTool']>>['content'][number];

interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message in the loop's history. A result is raw, as the server returned it. */
type Message =
  | { readonly role: 'user' | 'summary'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly name: string; readonly result: unknown };

function blockOf(part: AnswerPart): Block {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'image', mimeType: part.mediaType, data: part.data };
    case 'file': {
      const uri = `file:///${part.name}`;
      return { type: 'resource', resource: { uri, mimeType: part.mediaType, text: part.text } };
    }
    case 'link':
      return { type: 'resource_link', uri: part.uri, name: part.name, description: part.description };
  }
}

function resultOf(answer: Answer): { content: Block[]; structuredContent?: Record<string, unknown> } {
  switch (answer.type) {
    case 'text':
      return { content: [{ type: 'text', text: answer.text }] };
    case 'json': {
      const structuredContent = answer.value as Record<string, unknown>;
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    }
    case 'parts':
      return { content: answer.parts.map(blockOf) };
  }
}

function serverOf(tools: readonly ScenarioTool[]): McpServer {
  const server = new McpServer({ name: 'mail', version: '1.0.0' });
  for (const { name, description, parameters, run } of tools) {
    const inputSchema = z.object(Object.fromEntries(parameters.map((each) => [each, z.string()])));
    server.registerTool(name, { description, inputSchema }, async (given) => resultOf(run(given)));
  }
  return server;
}

/** The server with its tools, and a client of it behind the transport under test. */
async function connected({ tools, conversation, person }: Setup): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(() => serverOf(tools), { transport: far });
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const wire =
    conversation === undefined ? near : protect(conversation, askOf(person)).transport(near, { server: 'mail' });
  await client.connect(wire);
  return client;
}

function turnsOf(message: Message): readonly Turn[] {
  switch (message.role) {
    case 'user':
    case 'summary':
      return [{ type: message.role, content: message.content }];
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map(
        ({ id, function: { name, arguments: given } }): Turn => ({
          type: 'call',
          id,
          tool: name,
          arguments: JSON.parse(given),
        }),
      );
      return message.content === '' ? calls : [{ type: 'model' }, ...calls];
    }
    case 'tool':
      return [{ type: 'result', id: message.tool_call_id, tool: message.name, content: contentOf(message.result) }];
  }
}

function framedParts({ pieces }: Framed): readonly unknown[] {
  return pieces.flatMap(({ text, media }) => {
    const url = media === undefined ? '' : `data:${media.mediaType};base64,${media.data}`;
    return media === undefined
      ? [{ type: 'text', text }]
      : [
          { type: 'text', text },
          { type: 'image_url', image_url: { url } },
        ];
  });
}

function onWire(message: Message, framed: Framed | undefined): unknown {
  if (message.role === 'summary') return { role: 'assistant', content: framed?.text ?? message.content };
  if (message.role !== 'tool') return message;
  const { role, tool_call_id, result } = message;
  const said = contentOf(result);
  if (framed === undefined)
    return { role, tool_call_id, content: typeof said === 'string' ? said : JSON.stringify(said) };
  return { role, tool_call_id, content: framed.pieces.length === 1 ? framed.text : framedParts(framed) };
}

/** The request that the model is sent. The messages are not changed. */
async function shown(conversation: Conversation | undefined, system: string, messages: readonly Message[]) {
  const turns = messages.flatMap((message, index) => turnsOf(message).map((turn) => ({ turn, index })));
  const policy: Turn = { type: 'policy', text: system };
  const frames = await conversation?.render([policy, ...turns.map(({ turn }) => turn)]);
  const byMessage = new Map(turns.map(({ index }, at) => [index, frames?.[at + 1]]));
  const content = conversation === undefined ? system : withReadingRules(system);
  return [{ role: 'system', content }, ...messages.map((message, index) => onWire(message, byMessage.get(index)))];
}

interface Said {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

interface Delta {
  readonly content?: string | null;
  readonly tool_calls?: readonly ToolCall[];
}

async function* deltasIn({ body }: Response): AsyncGenerator<Delta> {
  let rest = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)).choices[0].delta as Delta;
  }
}

/** The shown and the stored form of an answer, as in the adapter's README. */
async function readStream(response: Response, { conversation, onPiece }: Setup): Promise<Said> {
  const output = conversation?.outputStream();
  const calls: ToolCall[] = [];
  let text = '';
  const show = (piece: string): void => {
    text += piece;
    onPiece?.(piece);
  };
  for await (const { content, tool_calls = [] } of deltasIn(response)) {
    show(output?.push(content ?? '') ?? content ?? '');
    calls.push(...tool_calls);
  }
  show(output?.end() ?? '');
  return { text, calls };
}

async function readWhole(response: Response, { conversation }: Setup): Promise<Said> {
  const { content, tool_calls: calls = [] } = JSON.parse(await response.text()).choices[0].message;
  return { text: conversation?.sanitizeOutput(content ?? '').text ?? content ?? '', calls };
}

/** The status of an overload in chat completions, after which the loop tries again. */
const OVERLOADED = 503;

async function complete(setup: Setup, body: string): Promise<Said> {
  for (;;) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${setup.url}/v1/chat/completions`, { method: 'POST', headers, body });
    if (response.status === OVERLOADED) continue;
    return setup.stream ? readStream(response, setup) : readWhole(response, setup);
  }
}

/** The descriptions of the server's tools, taken as the adapter's README says. */
function describedIn(conversation: Conversation, listed: readonly Listed[]): ToolDescriptions {
  const descriptions = toolDescriptions(conversation);
  for (const { name, description, inputSchema } of listed)
    descriptions.add({ name, description, parameters: inputSchema });
  return descriptions;
}

async function start(setup: Setup): Promise<Agent> {
  const { conversation, system, stream, stored } = setup;
  const client = await connected(setup);
  const listed = (await client.listTools()).tools;
  const descriptions = conversation === undefined ? undefined : describedIn(conversation, listed);
  const tools = listed.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  let messages = (stored ?? []) as readonly Message[];

  async function run({ id, function: { name, arguments: given } }: ToolCall): Promise<Message> {
    const isKnown = listed.some((tool) => tool.name === name);
    const { _meta, ...result } = isKnown
      ? await client.callTool({ name, arguments: JSON.parse(given), _meta: { [META.call]: id } })
      : { _meta: {}, content: [{ type: 'text', text: `There is no tool ${name}.` }], isError: true };
    return { role: 'tool', tool_call_id: id, name, result };
  }

  return {
    async say(text) {
      messages = [...messages, { role: 'user', content: text }];
      for (;;) {
        const sent = await shown(conversation, system, messages);
        const offered = (await descriptions?.shown(tools)) ?? tools;
        const request = { model: 'scripted', stream, tools: offered, messages: sent };
        const { text: content, calls } = await complete(setup, JSON.stringify(request));
        const said = { role: 'assistant' as const, content };
        messages = [...messages, calls.length === 0 ? said : { ...said, tool_calls: calls }];
        if (calls.length === 0) return said.content;
        messages = [...messages, ...(await Promise.all(calls.map(run)))];
      }
    },
    stored: async () => messages,
    compact: async (summary) => {
      messages = [{ role: 'summary', content: summary }];
    },
  };
}

/** A custom loop over chat completions with the tools of an MCP server behind the protected transport. */
export const mcp: Driver = {
  name: 'mcp',
  format: 'chat',
  impossible: {
    judge: 'MCP has no model of its own. Give `judge` to the boundary.',
    'judge-doubts': 'MCP has no model of its own. Give `judge` to the boundary.',
    'held-state': 'The loop keeps the history itself and sends all of it.',
    undeclared:
      'The tools come from the listing of a server, after the boundary has declared them: nothing wires the two.',
    misspelt: 'The boundary declares tools before a server lists its own, which may change at any time.',
    'misspelt-argument': 'The arguments of a tool are known only from the listing of its server, which is not trusted.',
    ...Object.fromEntries(
      ['provider-code', 'provider-search', 'provider-undeclared'].map((id) => [
        id,
        'The model is not at this place: the loop calls it itself, and adds what its provider ran to the turns of render().',
      ]),
    ),
    forgotten: 'The adapter has one part, the transport: the loop calls the model and its server itself.',
    'no-execute': 'A tool of a server always runs there.',
    added: 'The loop offers the model its own tools itself, and the transport sees only the calls to its server.',
  },
  start,
  pruned: (messages: readonly Message[]) =>
    messages.flatMap((message) =>
      message.role === 'tool' || message.content === '' ? [] : [{ role: message.role, content: message.content }],
    ),
};
