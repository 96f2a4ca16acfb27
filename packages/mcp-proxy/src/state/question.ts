import type { Approval, Decision } from '@sallyport/core';

/** What a person is asked about a held call. All of it but `reason` and `rule` was written by others. */
export interface Question {
  readonly server: string;
  /** Whose call it is: an approval is for this conversation. */
  readonly conversation: string;
  readonly tool: string;
  /** The arguments as JSON. */
  readonly arguments: string;
  readonly rule: string;
  readonly reason: string;
  /** Where a value stands in what was read. */
  readonly evidence: readonly { readonly path: string; readonly excerpt: string }[];
}

/** What a person says to a question; undefined where nobody has said anything. */
export type Answer = Approval | 'declined' | undefined;

/**
 * Asks a person in some other way than through the client, until the signal says that nobody waits any more. Where it takes the
 * answers of forms too, `show` puts the form before the client's user, as a request of the given id.
 */
export type Approver = (question: Question, signal: AbortSignal, show?: (id: string) => void) => Promise<Answer>;

export function questionOf(server: string, conversation: string, { call, rule, reason, evidence }: Decision): Question {
  return {
    server,
    conversation,
    tool: call.tool,
    arguments: call.argumentsJson,
    rule,
    reason,
    evidence: evidence.flatMap(({ path, excerpt }) => (excerpt === undefined ? [] : [{ path, excerpt }])),
  };
}

const MAX_SHOWN_LENGTH = 1200;

/** Words of others in a form: on one line, with nothing that hides or moves. */
function cut(words: string, longest: number): string {
  const text = words.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)?.toString(16) ?? ''}}`,
  );
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()} ... (${text.length} characters)`;
}

/** The same as a client's form: what a person reads, and the one thing he may say. */
export function formOf(question: Question): Readonly<Record<string, unknown>> {
  const { server, tool, arguments: given, reason, evidence } = question;
  const found = evidence
    .slice(0, 3)
    .map(({ path, excerpt }) => `${cut(path, 100)}: ${JSON.stringify(cut(excerpt, 300))}`);
  const message = [
    `Sallyport holds a call of ${cut(server, 100)}: ${cut(tool, 100)}(${cut(given, MAX_SHOWN_LENGTH)})`,
    reason,
    ...(found.length === 0 ? [] : [`Found in what was read: ${found.join('; ')}`]),
  ].join('\n\n');
  const approve = { type: 'boolean', title: 'Let this call pass', default: false };
  return { message, requestedSchema: { type: 'object', properties: { approve }, required: ['approve'] } };
}

/** Who approves in a client's form: whoever sits before it. */
const AT_CLIENT: Approval = { by: 'the user, asked by the client' };

/** What a person has said in such a form. */
export function answerIn(form: unknown): Answer {
  const { action, content } = (form ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === 'decline') return 'declined';
  if (action !== 'accept') return undefined;
  return (content as { readonly approve?: unknown } | undefined)?.approve === true ? AT_CLIENT : 'declined';
}
