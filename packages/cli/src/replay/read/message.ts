import { callsOf, isCall, isCallLike } from './calls.ts';
import { plain } from './langchain.ts';
import {
  contentOf,
  type Fields,
  isFields,
  isFilled,
  type LogEntry,
  partsOf,
  spoken,
  stringOf,
  textIn,
  unclear,
} from './log.ts';
import { isUiTool, uiEntries } from './ui.ts';

const OWN: ReadonlySet<unknown> = new Set(['text', 'input_text']);
const SAID: ReadonlySet<unknown> = new Set(['text', 'output_text']);
/** What a model may write beside words and calls. */
const SILENT: ReadonlySet<unknown> = new Set([
  ...['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content', 'refusal', 'source', 'sources'],
  ...['image', 'image_url', 'output_image', 'audio', 'file', 'tool-approval-request'],
  ...['step-start', 'source-url', 'source-document'],
]);
const RESULT = /(?:^|_)tool_result$|^tool-result$|^tool_call_response$/;

function isResult(part: unknown): part is Fields {
  return isFields(part) && typeof part.type === 'string' && RESULT.test(part.type);
}

/** What a tool gave: the AI SDK wraps it with its type, and earlier versions did not. */
function givenIn({ output, result, response, content }: Fields): unknown {
  if (isFields(output) && typeof output.type === 'string' && 'value' in output) return output.value;
  return output ?? result ?? response ?? content;
}

function resultOf(part: Fields): LogEntry {
  return {
    type: 'result',
    id: stringOf(part.tool_use_id) ?? stringOf(part.toolCallId) ?? stringOf(part.id),
    tool: stringOf(part.toolName),
    content: contentOf(givenIn(part)),
  };
}

/** Only texts are words of whoever wrote the message: all else is something he passed on. Texts side by side are one. */
export function ownEntries(parts: readonly unknown[], own: (text: string) => LogEntry): LogEntry[] {
  const entries: LogEntry[] = [];
  let texts: string[] = [];
  const end = (): void => {
    if (texts.length > 0) entries.push(own(texts.join('\n')));
    texts = [];
  };
  for (const part of parts) {
    const text = textIn(part, OWN);
    if (text !== undefined) {
      texts.push(text);
      continue;
    }
    end();
    // The name of a tool would say where it comes from: only its call may.
    if (isResult(part)) entries.push({ ...resultOf(part), tool: undefined } as LogEntry);
    else entries.push({ type: 'content', content: { json: part ?? null } });
  }
  end();
  return entries;
}

export const policyEntry = (text: string): LogEntry => ({ type: 'policy', text });
const userEntry = (content: string): LogEntry => ({ type: 'user', content });

function assistantEntries(message: Fields, parts: readonly unknown[]): LogEntry[] {
  const { calls, unclear: broken } = callsOf(message, parts);
  const texts = parts.map((part) => textIn(part, SAID));
  const strange = parts.filter((part, index) => {
    if (texts[index] !== undefined || isCall(part) || isResult(part)) return false;
    const type = isFields(part) ? part.type : undefined;
    return !SILENT.has(type) && !(isCallLike(type) && calls.length > 0);
  });
  const words = texts.filter((text) => text !== undefined && text !== '').join('\n');
  return [
    ...spoken(words, calls),
    ...parts.filter(isResult).map(resultOf),
    ...broken,
    ...strange.map((part) => unclear(`a part of the model's message of type ${typeName(part)}`)),
  ];
}

/**
 * What a tool gave. It is all content of others, so its parts are taken for results with ids of their own only where whoever wrote the log
 * does that: a tool could otherwise speak for another.
 */
function toolEntries(message: Fields, parts: readonly unknown[], isSplit: boolean): LogEntry[] {
  const own = stringOf(message.tool_call_id) ?? stringOf(message.callId);
  const id = own ?? (kindOf(message) === 'function' ? 'function_call' : undefined);
  const tool = stringOf(message.name) ?? stringOf(message.tool);
  const results = isSplit && own === undefined ? parts.filter(isResult) : [];
  const rest = results.length === 0 ? heldIn(message) : parts.filter((part) => !isResult(part));
  const content = rest === undefined || rest === '' ? (message.error ?? '') : rest;
  return [
    ...results.map(resultOf),
    ...(results.length > 0 && results.length === parts.length
      ? []
      : [{ type: 'result', id, tool, content: contentOf(content) } as const]),
  ];
}

function typeName(part: unknown): string {
  return isFields(part) && typeof part.type === 'string' ? `"${part.type.slice(0, 80)}"` : 'that is not known';
}

/** Who speaks, in the words of whichever format. */
export function kindOf({ role, type }: Fields): string | undefined {
  return stringOf(role) ?? stringOf(type);
}

/** What a message holds: our own traces say `text`, OpenTelemetry `parts`. */
function heldIn({ content, parts, text }: Fields): unknown {
  return content ?? parts ?? text;
}

function entriesBy(kind: string | undefined, message: Fields, isSplit: boolean): LogEntry[] {
  const parts = partsOf(heldIn(message));
  switch (kind) {
    case 'system':
    case 'developer':
      return ownEntries(parts, policyEntry);
    case 'user':
    case 'human':
      return ownEntries(parts, userEntry);
    case 'assistant':
    case 'ai':
    case 'model':
      return parts.some(isUiTool)
        ? parts.flatMap((part) => (isUiTool(part) ? uiEntries(part) : assistantEntries({}, [part])))
        : assistantEntries(message, parts);
    case 'tool':
    case 'function':
      return toolEntries(message, parts, isSplit || message.content === undefined);
    default:
      return [
        { type: 'content', content: { json: message } },
        unclear(kind === undefined ? 'a message without a role' : `a message of the role "${kind.slice(0, 80)}"`),
      ];
  }
}

/** What one message says, whichever format it has: it is known by itself. `isSplit`: messages of tools hold results with ids of their own. */
export function messageEntries(given: unknown, isSplit: boolean): LogEntry[] {
  if (!isFields(given)) return [unclear('a message that is no table')];
  const message = plain(given);
  const entries = entriesBy(kindOf(message), message, isSplit);
  // Nothing but who speaks is no message; what is written down in a way of its own is one that was missed.
  const isRead = entries.length > 0 || 'content' in message || heldIn(message) !== undefined;
  const isEmpty = !Object.values(message).some((value) => typeof value === 'object' && isFilled(value));
  return isRead || isEmpty ? entries : [unclear('a message in which nothing could be read')];
}
