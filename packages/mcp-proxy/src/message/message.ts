import { hasDuplicateNames, type JsonNode, type JsonText, memberOf, readJson, readValue } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';

export type Id = string | number;

/** A JSON-RPC message in its text. */
export type Message =
  | { readonly type: 'request'; readonly id: Id; readonly method: string; readonly json: JsonText }
  | { readonly type: 'notification'; readonly method: string; readonly json: JsonText }
  /** `id` is null where the other side could not read what it answers. */
  | { readonly type: 'response'; readonly id: Id | null; readonly json: JsonText }
  /** Of the protocol of March 2025: several in one text. */
  | { readonly type: 'batch'; readonly text: string; readonly texts: readonly string[] }
  /** No JSON, or what could be two kinds of message: the two sides might read it differently. */
  | { readonly type: 'unreadable'; readonly reason: 'syntax' | 'kind' };

function isId(value: unknown): value is Id {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}

const NO_KIND: Message = { type: 'unreadable', reason: 'kind' };

function kindOf(json: JsonText): Message {
  const { text, root } = json;
  const idNode = memberOf(root, 'id');
  const id = idNode?.type === 'string' || idNode?.type === 'other' ? readValue(text, idNode) : undefined;
  const methodNode = memberOf(root, 'method');
  const isAnswer = memberOf(root, 'result') !== undefined || memberOf(root, 'error') !== undefined;
  if (methodNode === undefined) {
    const isKnown = isAnswer && (isId(id) || id === null);
    return isKnown ? { type: 'response', id: id as Id | null, json } : NO_KIND;
  }
  if (isAnswer || methodNode.type !== 'string') return NO_KIND;
  const method = readValue(text, methodNode) as string;
  if (idNode === undefined) return { type: 'notification', method, json };
  return isId(id) ? { type: 'request', id, method, json } : NO_KIND;
}

/** Of members of one name the last is left. By edits, since writing a value anew goes less deep and rounds long numbers. */
function withoutTwins({ text, root }: JsonText): JsonText {
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

/** By these a call is judged. A server whose reader does not tell capitals apart would take others for them. */
const NAMES: ReadonlySet<string> = new Set([
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error'],
  ...['name', 'arguments', '_meta', 'uri', 'taskId', 'requestState', 'inputResponses'],
]);

/** A name as a reader sees it who does not tell capitals apart. Some letters become ASCII only on the way up. */
export function caseless(name: string): string {
  return name.toUpperCase().toLowerCase();
}

const CASELESS: ReadonlySet<string> = new Set([...NAMES].map(caseless));

/** Whether a message names something twice for a reader who takes `Method` for `method`. */
export function hasLookalikes({ root }: JsonText): boolean {
  const isOther = (name = ''): boolean => !NAMES.has(name) && CASELESS.has(caseless(name));
  return [root, memberOf(root, 'params')].some((node) => node?.members.some(({ name }) => isOther(name)) === true);
}

/** Reads a text. Where an object names a member twice, the last counts, as in JSON.parse, and the others are gone. */
export function readMessage(text: string): Message {
  let json: JsonText;
  try {
    JSON.parse(text);
    const read = readJson(text);
    json = hasDuplicateNames(read.root) ? withoutTwins(read) : read;
  } catch {
    return { type: 'unreadable', reason: 'syntax' };
  }
  if (json.root.type !== 'array') return kindOf(json);
  const texts = json.root.members.map(({ value: { start, end } }) => json.text.slice(start, end));
  return { type: 'batch', text: json.text, texts };
}

const AT_START = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,/;
const AT_END = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/;

const METHOD = /^\s*\{\s*(?:"(?:jsonrpc|id)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d+)\s*,\s*)*"method"/;

/** The id of an answer of which only both ends are known. */
export function idFromEnds(beginning: string, ending: string): Id | undefined {
  // A request of the server has ids of its own.
  if (METHOD.test(beginning)) return undefined;
  const found = (AT_START.exec(beginning) ?? AT_END.exec(ending))?.[1];
  try {
    const id: unknown = found === undefined ? undefined : JSON.parse(found);
    return isId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an element of a batch is one: batches do not nest. */
export function isBatch(text: string): boolean {
  return text.startsWith('[');
}

/** What ids are told apart by: 7 and "7" are two. */
export function keyOfId(id: Id): string {
  return JSON.stringify(id);
}

export function errorText(id: Id | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
