import { endOfString, type JsonNode, type JsonRange, type JsonText, readJson, stringAt } from './json-positions.ts';

const COLON = /\s*:/y;

/** Finds a member's name that is written with an escape: a string with a backslash, followed by a colon. */
function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'), end = 0; at >= 0; at = text.indexOf('\\', end)) {
    // Backslashes are only in strings, and this is the first one of its string.
    end = endOfString(text, at);
    COLON.lastIndex = end;
    if (COLON.test(text)) return true;
  }
  return false;
}

type Container = unknown[] | object;

function emptyOrLeaf(text: string, node: JsonNode): unknown {
  if (node.type === 'object') return {};
  if (node.type === 'array') return [];
  return node.type === 'string' ? stringAt(text, node) : JSON.parse(text.slice(node.start, node.end));
}

/** Sets a member by definition. An assignment to `__proto__` would set the prototype instead. */
function setMember(container: Container, name: string | undefined, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else
    Object.defineProperty(container, name as string, { value, writable: true, enumerable: true, configurable: true });
}

/** Builds the value of a tree of positions. No recursion: the author of a text chooses how deeply it nests. */
function valueFrom({ text, root }: JsonText): unknown {
  const value = emptyOrLeaf(text, root);
  const left: [JsonNode, unknown][] = [[root, value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [node, container] = next;
    for (const member of node.members) {
      const inner = emptyOrLeaf(text, member.value);
      setMember(container as Container, member.name, inner);
      if (member.value.members.length > 0) left.push([member.value, inner]);
    }
  }
  return value;
}

/**
 * JSON.parse for untrusted text. In V8 13 and later (Node.js 24 and 26) JSON.parse can take a name written with an
 * escape for another name that it read before (nodejs/node#63785), so one message could choose what is read in the
 * next. Names with an escape are therefore read from the text itself.
 *
 * @throws SyntaxError as JSON.parse does.
 * @example
 * ```ts
 * parseJson('{"\\u0061": 1}'); // { a: 1 }
 * ```
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!text.includes('\\')) return value;
  return hasEscapedName(text) ? valueFrom(readJson(text)) : value;
}

/**
 * The value of a node, or undefined for an undefined node.
 *
 * @example
 * ```ts
 * const params = readValue(json.text, memberOf(json.root, 'params'));
 * ```
 */
export function readValue(text: string, node: JsonRange | undefined): unknown {
  return node === undefined ? undefined : parseJson(text.slice(node.start, node.end));
}
