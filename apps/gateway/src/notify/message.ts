import { createHmac } from 'node:crypto';
import type { WebhookFormat } from './webhooks.ts';

/** A message for people. The texts come from callers and servers. */
export interface Message {
  readonly type: 'approval.asked' | 'test';
  readonly at: Date;
  readonly workspace: string;
  readonly principal: string;
  /** The server and the tool, as `mail.send`. */
  readonly tool: string;
  readonly reason: string;
  readonly needsSecondPerson: boolean;
  readonly until: Date;
  /** Where a person decides. */
  readonly url: string;
}

const MAX_LENGTH = 300;

/** On one line, without control and invisible characters, and short enough for a chat. */
function shown(text: string): string {
  const plain = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return plain.length <= MAX_LENGTH ? plain : `${plain.slice(0, MAX_LENGTH - 1).toWellFormed()}\u2026`;
}

function headline({ type, principal, tool }: Message): string {
  return type === 'test' ? 'Sallyport can send messages here.' : shown(`${principal} waits for an approval: ${tool}`);
}

function linesOf(message: Message): readonly string[] {
  const { workspace, reason, needsSecondPerson, until, principal } = message;
  return [
    headline(message),
    shown(reason),
    ...(needsSecondPerson ? [shown(`A person other than ${principal} has to decide.`)] : []),
    `Workspace ${workspace}, until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ];
}

/** Texts of others are `plain_text`, in which Slack reads no links, mentions or formats. */
function slackBody(message: Message): unknown {
  const [first = '', ...rest] = linesOf(message);
  const plain = (text: string): unknown => ({ type: 'plain_text', text, emoji: false });
  return {
    // For notifications, without quotations.
    text: message.type === 'test' ? 'Sallyport can send messages here.' : 'A call waits for an approval.',
    blocks: [
      { type: 'section', text: plain(first) },
      ...rest.filter((text) => text !== '').map((text) => ({ type: 'context', elements: [plain(text)] })),
      { type: 'actions', elements: [{ type: 'button', text: plain('Look at it'), url: message.url }] },
    ],
  };
}

/** Texts of others are text runs, in which Teams reads no Markdown. */
function teamsBody(message: Message): unknown {
  const [first = '', ...rest] = linesOf(message);
  const block = (text: string, weight: 'Bolder' | 'Default'): unknown => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, weight }],
  });
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block(first, 'Bolder'), ...rest.filter((text) => text !== '').map((text) => block(text, 'Default'))],
    actions: [{ type: 'Action.OpenUrl', title: 'Look at it', url: message.url }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }] };
}

function jsonBody({ type, at, ...data }: Message): unknown {
  return { type, timestamp: at.toISOString(), data: { ...data, reason: shown(data.reason) } };
}

const BODIES: Readonly<Record<WebhookFormat, (message: Message) => unknown>> = {
  json: jsonBody,
  slack: slackBody,
  teams: teamsBody,
};

export function bodyOf(format: WebhookFormat, message: Message): string {
  return JSON.stringify(BODIES[format](message));
}

/** The headers of Standard Webhooks, by which a receiver knows that a message is the gateway's and not an old one. */
export function signedHeaders(secret: string, id: string, body: string, at: Date): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
