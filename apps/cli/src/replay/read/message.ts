import { type Fields, isFields, stringOf } from '@sallyport/core/adapter';
import { callsOf, isCall, isCallLike } from './calls.ts';
import { plainMessage } from './langchain.ts';
import { contentOf, isFilled, type LogEntry, modelEntries, partsOf, textIn, unclear } from './log.ts';
import { isUiTool, uiEntries } from './ui.ts';

const INPUT_TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text']);
const MODEL_TEXTS: ReadonlySet<unknown> = new Set(['text', 'output_text']);
/** Parts of a model's message that contain neither text for the user nor calls. */
const IGNORED: ReadonlySet<unknown> = new Set([
  ...['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content', 'refusal', 'source', 'sources'],
  ...['image', 'image_url', 'output_image', 'audio', 'file', 'tool-approval-request'],
  ...['step-start', 'source-url', 'source-document'],
]);
const RESULT = /(?:^|_)tool_result$|^tool-result$|^tool_call_response$/;

function isResult(part: unknown): part is Fields {
  return isFields(part) && typeof part.type === 'string' && RESULT.test(part.type);
}

/** The value of a result: the AI SDK wraps it in an object with its type, earlier versions do not. */
function valueIn({ output, result, response, content }: Fields): unknown {
  if (isFields(output) && typeof output.type === 'string' && 'value' in output) return output.value;
  return output ?? result ?? response ?? content;
}

function resultOf(part: Fields): LogEntry {
  return {
    type: 'result',
    id: stringOf(part.tool_use_id) ?? stringOf(part.toolCallId) ?? stringOf(part.id),
    tool: stringOf(part.toolName),
    content: contentOf(valueIn(part)),
  };
}

/** Only text parts are written by the author of the message; other parts are content from elsewhere. Joins consecutive texts. */
export function authoredEntries(parts: readonly unknown[], entryOf: (text: string) => LogEntry): LogEntry[] {
  const entries: LogEntry[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) entries.push(entryOf(texts.join('\n')));
    texts = [];
  };
  for (const part of parts) {
    const text = textIn(part, INPUT_TEXTS);
    if (text !== undefined) {
      texts.push(text);
      continue;
    }
    flush();
    // Without the tool's name, which would set the source of the content: only the call may do that.
    if (isResult(part)) entries.push({ ...resultOf(part), tool: undefined } as LogEntry);
    else entries.push({ type: 'content', content: { json: part ?? null } });
  }
  flush();
  return entries;
}

export const policyEntry = (text: string): LogEntry => ({ type: 'policy', text });
const userEntry = (content: string): LogEntry => ({ type: 'user', content });

function assistantEntries(message: Fields, parts: readonly unknown[]): LogEntry[] {
  const { calls, unclear: broken } = callsOf(message, parts);
  const texts = parts.map((part) => textIn(part, MODEL_TEXTS));
  const unknown = parts.filter((part, index) => {
    if (texts[index] !== undefined || isCall(part) || isResult(part)) return false;
    const type = isFields(part) ? part.type : undefined;
    return !IGNORED.has(type) && !(isCallLike(type) && calls.length > 0);
  });
  const words = texts.filter((text) => text !== undefined && text !== '').join('\n');
  return [
    ...modelEntries(words, calls),
    ...parts.filter(isResult).map(resultOf),
    ...broken,
    ...unknown.map((part) => unclear(`a part of the model's message with ${typeName(part)}`)),
  ];
}

/**
 * The results in a message of a tool. All of it is untrusted, so its parts are read as results with their own ids only if the format of
 * the log does that (`isSplit`): otherwise a tool could write results in the name of another.
 */
function toolEntries(message: Fields, parts: readonly unknown[], isSplit: boolean): LogEntry[] {
  const own = stringOf(message.tool_call_id) ?? stringOf(message.callId);
  const id = own ?? (kindOf(message) === 'function' ? 'function_call' : undefined);
  const tool = stringOf(message.name) ?? stringOf(message.tool);
  const results = isSplit && own === undefined ? parts.filter(isResult) : [];
  const rest = results.length === 0 ? contentIn(message) : parts.filter((part) => !isResult(part));
  const content = rest === undefined || rest === '' ? (message.error ?? '') : rest;
  return [
    ...results.map(resultOf),
    ...(results.length > 0 && results.length === parts.length
      ? []
      : [{ type: 'result', id, tool, content: contentOf(content) } as const]),
  ];
}

function typeName(part: unknown): string {
  return isFields(part) && typeof part.type === 'string' ? `the type "${part.type.slice(0, 80)}"` : 'an unknown type';
}

/** The role of a message, which some formats call `type`. */
export function kindOf({ role, type }: Fields): string | undefined {
  return stringOf(role) ?? stringOf(type);
}

/** The content of a message: Sallyport traces call it `text`, OpenTelemetry `parts`. */
function contentIn({ content, parts, text }: Fields): unknown {
  return content ?? parts ?? text;
}

function entriesBy(kind: string | undefined, message: Fields, isSplit: boolean): LogEntry[] {
  const parts = partsOf(contentIn(message));
  switch (kind) {
    case 'system':
    case 'developer':
      return authoredEntries(parts, policyEntry);
    case 'user':
    case 'human':
      return authoredEntries(parts, userEntry);
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
        unclear(kind === undefined ? 'a message without a role' : `a message with the role "${kind.slice(0, 80)}"`),
      ];
  }
}

/** The entries of one message in any format. `isSplit`: messages of tools contain results with their own ids. */
export function messageEntries(logged: unknown, isSplit: boolean): LogEntry[] {
  if (!isFields(logged)) return [unclear('a message that is not an object')];
  const message = plainMessage(logged);
  const entries = entriesBy(kindOf(message), message, isSplit);
  // A message with only a role is empty; one with other fields has content in an unknown form.
  const isRead = entries.length > 0 || 'content' in message || contentIn(message) !== undefined;
  const isEmpty = !Object.values(message).some((value) => typeof value === 'object' && isFilled(value));
  return isRead || isEmpty ? entries : [unclear('a message in which nothing could be read')];
}
