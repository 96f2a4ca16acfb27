import { readFileSync } from 'node:fs';
import type { Preset, ToolDefinition } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import { type Content, createBoundary, defineTool, prompt } from '../../src/index.ts';

const FIRST = {
  id: 'm1',
  from: 'Tom Fischer <tom@fischer-plumbing.example>',
  subject: 'Invoice 4411',
  body: 'Hi Ann, attached the invoice for the boiler repair: 240 EUR, IBAN DE89370400440532013000. Kind regards, Tom',
};
const SECOND = {
  id: 'm2',
  from: 'Bob Lee <bob@acme.example>',
  subject: 'Offsite',
  body: 'Could we meet on Thursday at 14:00 to plan the offsite? The agenda is at https://wiki.acme.example/offsite',
};

/** What the agents of the scripts can do. */
const TOOLS: Readonly<Record<string, readonly ToolDefinition[]>> = {
  mail: [
    { name: 'list_emails', origin: 'external', effect: 'read' },
    { name: 'send_email', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] },
    { name: 'list_events', origin: 'workspace', effect: 'read' },
    { name: 'create_event', origin: 'workspace', effect: 'write', modelText: ['title'] },
    { name: 'fetch_url', origin: 'external', effect: 'fetch' },
    { name: 'pay', origin: 'workspace', effect: 'spend', modelText: ['reference'] },
  ],
  support: [
    { name: 'read_doc', origin: 'workspace', effect: 'read' },
    { name: 'run_command', origin: 'workspace', effect: 'execute' },
    { name: 'send_email', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] },
    { name: 'refund', origin: 'workspace', effect: 'spend', modelText: ['note'] },
    { name: 'get_ticket', origin: 'external', effect: 'read' },
    { name: 'update_ticket', origin: 'workspace', effect: 'write', modelText: ['comment'] },
    {
      name: 'search_products',
      origin: 'external',
      effect: 'read',
      serviceFields: { '/results/*/sku': 'code', '/results/*/price': 'number' },
    },
    { name: 'order', origin: 'workspace', effect: 'spend' },
  ],
  bank: [
    { name: 'list', origin: 'external', effect: 'read' },
    { name: 'pay', origin: 'workspace', effect: 'spend', modelText: ['reference'] },
  ],
};

type Step =
  | { readonly user: string }
  | { readonly call: string; readonly given: object; readonly result?: string | { readonly json: unknown } };

/** One conversation of a model that makes every call of its script. */
interface Row {
  readonly title: string;
  /** The script that showed the situation first. */
  readonly origin: string;
  readonly payload: { readonly tools: string; readonly steps: readonly Step[] };
  /** Whether each call is made. */
  readonly expected: Readonly<Record<Preset, string>>;
}

const ROWS = readFileSync(new URL('./conversations.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

/** Most inboxes begin with the same two mails. */
function contentOf(result: NonNullable<Extract<Step, { call: string }>['result']>): Content {
  if (typeof result === 'string' || !Array.isArray(result.json)) return result as Content;
  const [first, ...rest] = result.json;
  const mails = { INBOX: [FIRST, SECOND], FIRST: [FIRST] }[String(first)] ?? [first];
  return { json: [...mails, ...rest] };
}

async function play({ payload: { tools, steps } }: Row, preset: Preset): Promise<string> {
  const declared = (TOOLS[tools] ?? []).map((tool) => defineTool(tool));
  const conversation = createBoundary({ tools: declared, gate: { preset } }).conversation('c');
  const show = () => conversation.request({ policy: prompt`You are Ann's assistant. Today is 2026-11-16.` });
  const outcomes: string[] = [];
  for (const step of steps) {
    if ('user' in step) conversation.addUserMessage(step.user);
    else {
      const use = { id: `call-${outcomes.length}`, tool: step.call, arguments: step.given };
      const { outcome } = await conversation.check(use);
      outcomes.push(outcome === 'allow' ? 'allow' : 'held');
      if (outcome === 'allow')
        conversation.addToolResult({ id: use.id, tool: use.tool, content: contentOf(step.result ?? { json: 'ok' }) });
    }
    await show();
  }
  return outcomes.join(' ');
}

describe.each(['balanced', 'strict'] as const)('under %s, a script of an obedient model', (preset) => {
  it.each(ROWS)('$origin: $title', async (row) => {
    expect(await play(row, preset)).toBe(row.expected[preset]);
  });
});
