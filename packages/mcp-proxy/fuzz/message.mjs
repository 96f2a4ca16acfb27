// What a text says in JSON-RPC, read without a look into the proxy.
import { canonicalJson } from '@sallyport/core/adapter';
import { CONVERSATION, CONVERSATIONS } from './client.mjs';

export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isTable(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The messages in a text: a batch has several, and none within another. */
export function messagesIn(value) {
  return Array.isArray(value) ? value.filter((each) => !Array.isArray(each)) : [value];
}

export function kindOf(message) {
  if (!isTable(message)) return 'other';
  const has = (name) => Object.hasOwn(message, name);
  const { id, method } = message;
  const isAnswer = has('result') || has('error');
  const isId = typeof id === 'string' || Number.isFinite(id);
  if (!has('method')) return isAnswer && (isId || id === null) ? 'response' : 'other';
  if (isAnswer || typeof method !== 'string') return 'other';
  if (!has('id')) return 'notification';
  return isId ? 'request' : 'other';
}

export function conversationOf(message) {
  const said = message.params?._meta?.[CONVERSATION];
  const isOne = typeof said === 'string' && said !== '' && said.length <= 256 && said.isWellFormed();
  return isOne ? said : CONVERSATIONS[0];
}

/** The conversation of the request of an id among the messages of a text. */
export function conversationIn(text, key) {
  const isIt = (each) => kindOf(each) === 'request' && JSON.stringify(each.id) === key;
  const found = messagesIn(parsed(text)).find(isIt);
  return found === undefined ? CONVERSATIONS[0] : conversationOf(found);
}

const MARK = /(?:DENY-ME|HOLD-[a-z]+)-\d+\./;

/** By which a call that must be held or denied is known; undefined where it is another. */
export function markIn(params) {
  return MARK.exec(JSON.stringify(params?.arguments) ?? '')?.[0];
}

/** What a call is known by. */
export function callKey({ name, arguments: given = {} }) {
  return canonicalJson([name, given]);
}

export class Tally extends Map {
  add(key, count = 1) {
    this.set(key, this.of(key) + count);
  }
  of(key) {
    return this.get(key) ?? 0;
  }
}
