import type { Effect, Facts, Tool } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import type { Proposed } from './doubts.ts';

/** Members that hold what is replaced. */
const BEFORE: ReadonlySet<string> = new Set(['old_string', 'oldString', 'old_str', 'oldText']);
const GRAVE: ReadonlySet<Effect> = new Set(['configure', 'spend', 'destroy', 'execute']);
/** Arguments that hold a patch. A text in its form elsewhere is a text. */
const PATCH: ReadonlySet<string> = new Set(['input', 'patch', 'patchText']);

interface Leaf {
  readonly name: string;
  readonly text: string;
}

function* leavesOf(value: unknown, name = ''): Generator<Leaf> {
  if (typeof value === 'string') yield { name, text: value };
  else if (typeof value === 'number') yield { name, text: String(value) };
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* leavesOf(each, Array.isArray(value) ? name : key);
}

/** The lines of a patch that it adds, and those that it keeps or removes. */
function readPatch(text: string): Pick<Proposed, 'text' | 'before'> {
  const lines = text.split('\n');
  const isAdded = (line: string): boolean => line.startsWith('+');
  return { text: lines.filter(isAdded).join('\n'), before: lines.filter((line) => !isAdded(line)).join('\n') };
}

/** Words of a query that only reads. */
const READING = /^\s*(?:select|explain|show|describe|desc|values|table|with)\b/i;
const CHANGING =
  /\b(?:insert|update|delete|merge|into|drop|alter|create|truncate|grant|revoke|call|do|copy|execute|set|lock|vacuum|attach|load|replace)\b/i;

/** Recognizes SQL without a word that changes something. What its functions do is not known. */
function onlyReads(sql: string): boolean {
  // Databases disagree about what a backslash in a text means.
  if (sql.includes('\\')) return false;
  const plain = sql.replace(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*.*?\*\//gs, ' ');
  const statements = plain.split(';').filter((each) => each.trim() !== '');
  return statements.length > 0 && statements.every((each) => READING.test(each) && !CHANGING.test(each));
}

/** The values that decide what the tool of a server does: code, and all that is not a text. */
export function decidingIn({ effect, values }: Facts): Pick<Proposed, 'pointing' | 'deciding'> {
  const chosen = values.filter(({ role, value }) => role === 'command' || !/\s/.test(value.trim()));
  const pointing = chosen.map(({ value }) => value).join('\n');
  const isReading = effect === 'execute' && chosen.some(({ role, value }) => role === 'command' && onlyReads(value));
  const isGrave = GRAVE.has(effect) && !isReading;
  return { pointing, ...(isGrave && { deciding: pointing }) };
}

/** What a call of a host's own tool for commands or files proposes, or that of another tool. */
export function proposedBy(given: unknown, tool: Tool | undefined, isOwnWork: boolean): Proposed {
  const { command } = fieldsOf(given);
  if (isOwnWork && tool?.effect === 'execute' && typeof command === 'string')
    return { kind: 'command', text: command, before: '' };
  const leaves = [...leavesOf(given)];
  const join = (chosen: readonly Leaf[]): string => chosen.map(({ text }) => text).join('\n');
  if (!isOwnWork) return { kind: 'other', text: join(leaves), before: '' };
  const isPath = ({ name }: Leaf): boolean => tool?.roles.get(name) === 'path';
  const [file] = leaves.filter(isPath);
  const rest = leaves.filter((leaf) => !isPath(leaf));
  const before = join(rest.filter(({ name }) => BEFORE.has(name)));
  const text = join(rest.filter(({ name }) => !BEFORE.has(name)));
  const change = rest.some(({ name }) => PATCH.has(name)) ? readPatch(text) : { text, before };
  return { kind: 'file', ...change, ...(file !== undefined && { file: file.text }) };
}
