import type { ApprovalScope, CallApproval, Decision, Effect, Excerpt } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { readJson } from '@sallyport/core/json';
import { type Redact, redactExcerpt, redactStrings } from '../content/redact.ts';

/** A passage of read content that contains an argument's value. */
interface QuestionEvidence {
  readonly path: string;
  /** The name of the tool or server that the text comes from. Absent if it has none. */
  readonly source?: string;
  readonly excerpt: Excerpt;
}

/** A question to a person about a held call. Everything except `reason` and `rule` is untrusted text. */
export interface Question {
  readonly server: string;
  /** The conversation of the call. An approval is valid only in it. */
  readonly conversation: string;
  readonly tool: string;
  /** The arguments as JSON, after redaction. */
  readonly arguments: string;
  /** The digest of the call with all of its arguments. Absent if `arguments` is complete. */
  readonly digest?: string;
  readonly rule: string;
  /** The effect of the call, such as `send`. Absent in a question of an earlier version. */
  readonly effect?: Effect;
  /** The cell of the policy's table that asks, such as `send, content`. Absent if another rule asks. */
  readonly cell?: string;
  readonly reason: string;
  /** The passages of read content that contain an argument's value. */
  readonly evidence: readonly QuestionEvidence[];
  /** The scopes in which a person may approve the call. */
  readonly scopes: readonly ApprovalScope[];
  /** Set when only a person other than the client's user may approve the call. @default no */
  readonly secondPerson?: true;
  /**
   * JSON pointers of the values that a later call must share to be covered by a lasting approval. Absent if there are
   * too many.
   */
  readonly fixed?: readonly string[];
  /**
   * With `keepsApprovals`, the digests under which an approval of each lasting scope is stored. Do not show them in a
   * page.
   */
  readonly keys?: ApprovalKeys;
}

/** The digests under which an approval is stored, for each scope: one for each memory that asks about the call. */
export type ApprovalKeys = Readonly<Partial<Record<ApprovalScope, readonly string[]>>>;

/** A person's answer to a question; undefined without one. */
export type Answer = CallApproval | 'declined' | undefined;

/**
 * Asks a person outside the client, until the signal aborts. With `approvesForms`, `show` also shows the form to the
 * client's user, as a request with the given id.
 */
export type Approver = (question: Question, signal: AbortSignal, show?: (id: string) => void) => Promise<Answer>;

/** The server of a call that a person is asked about. */
interface AskingServer {
  readonly server: string;
  readonly prefix: string;
  readonly redactQuestion?: Redact;
  readonly shownSource?: (name: string) => string;
}

/**
 * A digest of the call in a question. It does not depend on redaction: the same call always has the same digest.
 *
 * @example
 * ```ts
 * callDigest({ server: 'mail', conversation: 'c', tool: 'send', arguments: '{"to":"ann@example.com"}' });
 * ```
 */
export function callDigest({
  server,
  conversation,
  tool,
  arguments: given,
  digest,
}: Pick<Question, 'server' | 'conversation' | 'tool' | 'arguments' | 'digest'>): string {
  return digest ?? digestText(JSON.stringify([server, conversation, tool, given]));
}

/**
 * The question to a person about a held call of a server, whose tools have a prefix in the registry. `redactQuestion`
 * is applied to its arguments and its evidence.
 *
 * @example
 * ```ts
 * const question = questionOf({ server: 'mail', prefix: 'mail.' }, conversation.id, decision);
 * ```
 */
export function questionOf(
  { server, prefix, redactQuestion, shownSource = (name) => name }: AskingServer,
  conversation: string,
  decision: Decision,
): Question {
  const { call, rule, effect, cell, reason, evidence, scopes } = decision;
  const about = { server, conversation, tool: call.tool.slice(prefix.length), arguments: call.argumentsJson };
  const shown = redactQuestion && redactStrings(readJson(call.argumentsJson), redactQuestion);
  const isRedacted = shown !== undefined && shown !== call.argumentsJson;
  return {
    ...about,
    ...(isRedacted && { arguments: shown, digest: callDigest(about) }),
    rule,
    effect,
    ...(cell !== undefined && { cell }),
    reason,
    evidence: evidence.flatMap(({ path, source, excerpt }) =>
      excerpt === undefined
        ? []
        : [
            {
              path,
              ...(source && { source: shownSource(source) }),
              excerpt: redactQuestion ? redactExcerpt(excerpt, redactQuestion) : excerpt,
            },
          ],
    ),
    scopes,
  };
}

const MAX_SHOWN_LENGTH = 1200;
const MAX_EXCERPT_LENGTH = 600;

/** Untrusted text for a form: on one line, cut, with control and invisible characters escaped. */
function cut(untrusted: string, maxLength: number): string {
  const text = untrusted.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)?.toString(16) ?? ''}}`,
  );
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()} ... (${text.length} characters)`;
}

/**
 * One line with the passage that a value comes from, with the value in brackets. Its quotation marks are replaced, so
 * that none ends the quotation.
 */
function lineOf({ path, source, excerpt: { before, match, after } }: QuestionEvidence): string {
  const text = cut(`${before}[${match}]${after}`, MAX_EXCERPT_LENGTH).replaceAll('"', "'");
  return `${cut(path, 100)}${source === undefined ? '' : ` in ${cut(source, 80)}`}: "${text}"`;
}

/** The scopes that a form offers, with their titles. */
const CHOICES = [
  { scope: 'once', title: 'This call only' },
  { scope: 'conversation', title: 'This tool with these values, in this session' },
  { scope: 'always', title: 'This tool with these values, always' },
] as const satisfies readonly { readonly scope: ApprovalScope; readonly title: string }[];

/** The form field for the scope of an approval; no field if only one call can be approved. */
function scopeField(scopes: readonly ApprovalScope[]): Readonly<Record<string, unknown>> {
  const offered = CHOICES.filter(({ scope }) => scopes.includes(scope));
  if (offered.length < 2) return {};
  // `enumNames` is the form of titles that clients of every version of the protocol understand.
  return {
    scope: {
      type: 'string',
      title: 'For which calls',
      enum: offered.map(({ scope }) => scope),
      enumNames: offered.map(({ title }) => title),
      default: 'once',
    },
  };
}

/**
 * The question as a form for the client: a message, yes or no, and the scope. Without a scope the answer is for one
 * call.
 */
export function formOf(question: Question, offersScopes: boolean): Readonly<Record<string, unknown>> {
  const { server, tool, arguments: given, reason, evidence, scopes } = question;
  const found = evidence.slice(0, 3).map(lineOf);
  const message = [
    `Sallyport holds a call of ${cut(server, 100)}: ${cut(tool, 100)}(${cut(given, MAX_SHOWN_LENGTH)})`,
    reason,
    ...(found.length === 0 ? [] : [`Found in what was read: ${found.join('; ')}`]),
  ].join('\n\n');
  const approve = { type: 'boolean', title: 'Let this call pass', default: false };
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: { approve, ...(offersScopes && scopeField(scopes)) },
      required: ['approve'],
    },
  };
}

/** The approver recorded for a client's form. */
const AT_CLIENT: CallApproval = { by: 'the user, asked by the client' };

/**
 * Reads a person's answer from a client's response to a form.
 *
 * @example
 * ```ts
 * answerIn({ action: 'accept', content: { approve: true } }); // an approval of this call
 * answerIn({ action: 'accept', content: { approve: true, scope: 'always' } }); // and of later ones
 * answerIn({ action: 'decline' }); // 'declined'
 * ```
 */
export function answerIn(form: unknown): Answer {
  const { action, content } = (form ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === 'decline') return 'declined';
  if (action !== 'accept') return undefined;
  const { approve, scope } = (content ?? {}) as { readonly approve?: unknown; readonly scope?: unknown };
  if (approve !== true) return 'declined';
  const chosen = CHOICES.find((each) => each.scope === scope)?.scope ?? 'once';
  return chosen === 'once' ? AT_CLIENT : { ...AT_CLIENT, scope: chosen };
}
