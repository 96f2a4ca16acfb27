import { type JsonNode, readJson } from '../base/json-positions.ts';
import type { JsonPart, Part } from './part.ts';
import type { Recorded } from './record.ts';

/** Maximum number of envelopes for the lists of one record. The last one holds all items that are left. */
const MAX_ENVELOPES = 50;

/** The names under which services return a list of records. Other lists, such as tags, belong to one document. */
const LIST_NAMES: ReadonlySet<string> = new Set([
  ...['items', 'results', 'records', 'documents', 'hits', 'matches', 'entries', 'rows', 'data'],
]);

/** A list of records in JSON text, and the text to write before each record so that its JSON pointers stay the same. */
interface Listed {
  readonly list: JsonNode;
  readonly before: string;
  readonly after: string;
  /** The object without its list, if it has other members. */
  readonly rest: string | undefined;
}

function isListOf(node: JsonNode, types: readonly JsonNode['type'][]): boolean {
  return (
    node.type === 'array' && node.members.length > 1 && node.members.every(({ value }) => types.includes(value.type))
  );
}

function listIn(text: string): Listed | undefined {
  const { root } = readJson(text);
  if (isListOf(root, ['object', 'string'])) return { list: root, before: '[', after: ']', rest: undefined };
  const lists = root.type === 'object' ? root.members.filter(({ value }) => isListOf(value, ['object'])) : [];
  const [only, ...more] = lists;
  if (only === undefined || more.length > 0 || !LIST_NAMES.has(only.name ?? '')) return undefined;
  const others = root.members.filter((member) => member !== only);
  const rest = others.map(({ start, value }) => text.slice(start, value.end)).join();
  const name = text.slice(only.start, only.value.start);
  return { list: only.value, before: `{${name}[`, after: ']}', rest: rest === '' ? undefined : `{${rest}}` };
}

function jsonPart(text: string): JsonPart {
  return Object.freeze({ type: 'json', text });
}

/** Splits a list of records into one part for each record, at most `room` parts. Returns any other part as it is. */
function split(part: Part, room: number): readonly Part[] {
  // Canonical JSON has no white space, so the first character excludes most values.
  if (part.type !== 'json' || !/^[[{]/.test(part.text)) return [part];
  const listed = listIn(part.text);
  if (listed === undefined) return [part];
  const { list, before, after, rest } = listed;
  const lead = rest === undefined ? [] : [jsonPart(rest)];
  const count = Math.min(list.members.length, room - lead.length);
  if (count < 2) return [part];
  const items = list.members.map(({ value }) => part.text.slice(value.start, value.end));
  const shown = [...items.slice(0, count - 1), items.slice(count - 1).join()];
  return [...lead, ...shown.map((item) => jsonPart(before + item + after))];
}

/** Splits the lists among some parts, so that each record gets its own envelope. */
export function splitLists(parts: readonly Part[]): readonly Part[] {
  let room = MAX_ENVELOPES;
  return parts.flatMap((part) => {
    const pieces = split(part, room);
    room -= pieces.length - 1;
    return pieces;
  });
}

const KNOWN = new WeakMap<Recorded, readonly Part[]>();

/**
 * The parts of a record as the model is shown them. Records that a search returned have different authors, so each has
 * its own envelope and its own verdict. The record itself stays as the tool returned it. Only retrieved content is
 * divided.
 */
export function envelopesOf(recorded: Recorded): readonly Part[] {
  const isCorpus = recorded.parts.length > 0 && recorded.parts.every((part) => recorded.originOf(part) === 'retrieved');
  if (!isCorpus) return recorded.parts;
  const known = KNOWN.get(recorded) ?? splitLists(recorded.parts);
  KNOWN.set(recorded, known);
  return known;
}
