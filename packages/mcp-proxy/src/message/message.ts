import { hasDuplicateNames, type JsonNode, type JsonText, memberOf, readJson, readValue } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';

/** The id of a JSON-RPC request. */
export type Id = string | number;

/** A JSON-RPC message and its text. */
export type Message =
  | { readonly type: 'request'; readonly id: Id; readonly method: string; readonly json: JsonText }
  | { readonly type: 'notification'; readonly method: string; readonly json: JsonText }
  /** `id` is null if the sender could not read the request that it answers. */
  | { readonly type: 'response'; readonly id: Id | null; readonly json: JsonText }
  /** Several messages in one text, as in protocol version 2025-03-26. */
  | { readonly type: 'batch'; readonly text: string; readonly texts: readonly string[] }
  /** Not JSON, or not clearly one kind of message: client and server might read it differently. */
  | { readonly type: 'unreadable'; readonly reason: 'syntax' | 'kind' };

function isId(value: unknown): value is Id {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

const INVALID: Message = { type: 'unreadable', reason: 'kind' };

function kindOf(json: JsonText): Message {
  const { text, root } = json;
  const idNode = memberOf(root, 'id');
  const id = idNode?.type === 'string' || idNode?.type === 'other' ? readValue(text, idNode) : undefined;
  const methodNode = memberOf(root, 'method');
  const isAnswer = memberOf(root, 'result') !== undefined || memberOf(root, 'error') !== undefined;
  if (methodNode === undefined) {
    const isResponse = isAnswer && (isId(id) || id === null);
    return isResponse ? { type: 'response', id: id as Id | null, json } : INVALID;
  }
  if (isAnswer || methodNode.type !== 'string') return INVALID;
  const method = readValue(text, methodNode) as string;
  if (idNode === undefined) return { type: 'notification', method, json };
  return isId(id) ? { type: 'request', id, method, json } : INVALID;
}

/**
 * Keeps the last of several members with one name. By edits: stringifying the value again would round long numbers and
 * limit the depth.
 */
function withoutDuplicates({ text, root }: JsonText): JsonText {
  const edits = new Edits(text);
  const left: JsonNode[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const last = new Map(node.members.map((member) => [member.name, member]));
    for (const member of node.members) {
      if (node.type === 'object' && last.get(member.name) !== member) edits.remove(node, member);
      else left.push(member.value);
    }
  }
  return readJson(edits.apply() ?? text);
}

/**
 * The members that the proxy reads to check a call. A server that ignores case would accept other spellings of them.
 */
const NAMES: ReadonlySet<string> = new Set([
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error'],
  ...['name', 'arguments', '_meta', 'uri', 'taskId', 'requestState', 'inputResponses'],
]);

/**
 * A name as a reader that ignores case sees it. Some letters become ASCII only in upper case, so it goes through both.
 *
 * @example
 * ```ts
 * caseless('Method') === caseless('method'); // true
 * ```
 */
export function caseless(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const CASELESS: ReadonlySet<string> = new Set([...NAMES].map(caseless));

/** Finds a member such as `Method`, which a reader that ignores case takes for `method`. */
export function hasLookalikes({ root }: JsonText): boolean {
  const isOther = (name = ''): boolean => !NAMES.has(name) && CASELESS.has(caseless(name));
  return [root, memberOf(root, 'params')].some((node) => node?.members.some(({ name }) => isOther(name)) === true);
}

/**
 * Reads a text. If an object names a member twice, the last one counts, as in JSON.parse, and the others are removed.
 */
export function readMessage(text: string): Message {
  let json: JsonText;
  try {
    JSON.parse(text);
    const read = readJson(text);
    json = hasDuplicateNames(read.root) ? withoutDuplicates(read) : read;
  } catch {
    // Not JSON: the caller reports 'syntax'. The error's text quotes the message, so it is not passed on.
    return { type: 'unreadable', reason: 'syntax' };
  }
  if (json.root.type !== 'array') return kindOf(json);
  const texts = json.root.members.map(({ value: { start, end } }) => json.text.slice(start, end));
  return { type: 'batch', text: json.text, texts };
}

const AT_START = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,/;
const AT_END = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/;

const METHOD = /^\s*\{\s*(?:"(?:jsonrpc|id)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d+)\s*,\s*)*"method"/;

/**
 * The id of a response of which only the beginning and the ending are known, such as a line that is too long.
 *
 * @example
 * ```ts
 * idFromEnds('{"jsonrpc":"2.0","id":7,"result":{"cont', '..."}]}}'); // 7
 * ```
 */
export function idFromEnds(beginning: string, ending: string): Id | undefined {
  // A server's request has an id of its own.
  if (METHOD.test(beginning)) return undefined;
  const found = (AT_START.exec(beginning) ?? AT_END.exec(ending))?.[1];
  try {
    const id: unknown = found === undefined ? undefined : JSON.parse(found);
    return isId(id) ? id : undefined;
  } catch {
    // A string with an invalid escape: no id that a client could have sent.
    return undefined;
  }
}

/** Recognises a batch among the items of a batch. Batches must not nest. */
export function isBatch(text: string): boolean {
  return text.startsWith('[');
}

/** A map key for an id. 7 and "7" are different ids. */
export function keyOfId(id: Id): string {
  return JSON.stringify(id);
}

export function errorText(id: Id | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
