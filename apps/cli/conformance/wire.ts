// Compares the lines on the two sides of a proxy.
import { existsSync, readFileSync } from 'node:fs';
import { differenceOf, type Structured } from './compare.ts';
import { isObject, opened, openedLine, unframed } from './open.ts';

/** The lines of one side: those sent to the server, and those received from it. */
export interface Side {
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

/** Counts of the server's lines: passed on unchanged, equal after frames are opened, or changed by design. */
export interface Wire {
  readonly equal: number;
  readonly opened: number;
  readonly changed: number;
}

export interface WireRules {
  readonly structured: Structured;
  /** Nothing may be rewritten. */
  readonly raw: boolean;
  /** The proxy is ours: it adds the reading rules to the answer to initialize. */
  readonly ours: boolean;
  /** No string of three or more words may occur outside a frame. */
  readonly framed: boolean;
  /** Calls may be kept from the server. */
  readonly vetoes: boolean;
  /** The client ends while the server may still send. */
  readonly killed: boolean;
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** The lines that `tee.mjs` recorded under this name. */
export function sideOf(file: string): Side {
  return { sent: linesOf(`${file}.in`), received: linesOf(`${file}.out`) };
}

const SHOWN = 240;
const show = (line: string | undefined): string => (line === undefined ? 'nothing' : line.slice(0, SHOWN));
/** Both lines from where they start to differ. */
function contrast(line: string, seen: string): string {
  let at = 0;
  while (at < line.length && line[at] === seen[at]) at++;
  const start = Math.max(0, at - 40);
  return `the server sent ...${show(line.slice(start))}, the client read ...${show(seen.slice(start))}`;
}

const idOf = (line: string): unknown => {
  const message: unknown = JSON.parse(line);
  return isObject(message) ? message.id : undefined;
};
const isInitializeResult = (line: string): boolean =>
  line.includes('"protocolVersion"') && line.includes('"serverInfo"');
const isResponse = (line: string): boolean => {
  const message: unknown = JSON.parse(line);
  return isObject(message) && message.method === undefined;
};

/** The client's lines that did not arrive, and lines that arrived without the client: requests of the proxy itself. */
function compareSent(sent: readonly string[], arrived: readonly string[]): { missing: string[]; own: string[] } {
  const missing: string[] = [];
  const own: string[] = [];
  let at = 0;
  for (const line of sent) {
    // A value that the client returns unread may have been framed for it.
    const openedText = openedLine(line);
    const found = arrived.findIndex((each, index) => index >= at && (each === line || each === openedText));
    if (found < 0) {
      missing.push(line);
      continue;
    }
    own.push(...arrived.slice(at, found));
    at = found + 1;
  }
  return { missing, own: [...own, ...arrived.slice(at)] };
}

/** A listing without its definitions, which are accepted and shown as they are. Their `_meta` is not part of them. */
export function withoutDefinitions(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(withoutDefinitions);
  const result = isObject(message) ? message.result : undefined;
  if (!isObject(message) || !isObject(result) || !Array.isArray(result.tools)) return message;
  return { ...message, result: { ...result, tools: result.tools.map((tool) => isObject(tool) && tool._meta) } };
}

/** Compares the server's lines with those that the client read. Throws at the first unexpected difference. */
function compareReceived(sent: readonly string[], read: readonly string[], rules: WireRules): Wire {
  const count = { equal: 0, opened: 0, changed: 0 };
  for (const [index, line] of sent.entries()) {
    const seen = read[index];
    if (seen === line) count.equal++;
    else if (seen === undefined) throw new Error(`the client did not read ${show(line)}`);
    else if (rules.raw && !(rules.ours && isInitializeResult(line))) throw new Error(contrast(line, seen));
    else if (openedLine(seen) === line) count.opened++;
    else {
      const difference = differenceOf(JSON.parse(line), opened(JSON.parse(seen)), rules.structured, 'line');
      if (difference !== undefined) throw new Error(`${difference}, in ${show(seen)}`);
      count.changed++;
    }
    const [bare] = rules.framed ? unframed(withoutDefinitions(JSON.parse(seen))) : [];
    if (bare !== undefined) throw new Error(`not framed: ${show(bare)}`);
  }
  return count;
}

/** Sorts the read lines like the sent ones: responses may arrive in another order, everything else may not. */
function ordered(sent: readonly string[], read: readonly string[]): string[] {
  const isInOrder =
    sent.length === read.length && sent.every((line, index) => idOf(line) === idOf(read[index] as string));
  if (isInOrder) return [...read];
  const answers = new Map(read.filter(isResponse).map((line) => [idOf(line), line]));
  const others = read.filter((line) => !isResponse(line));
  return sent.flatMap((line) => (isResponse(line) ? (answers.get(idOf(line)) ?? []) : (others.shift() ?? [])));
}

export function compareWire(client: Side, server: Side, rules: WireRules): Wire {
  const { missing, own } = compareSent(client.sent, server.sent);
  const lost = rules.vetoes ? missing.filter((line) => !line.includes('"tools/call"')) : missing;
  if (lost.length > 0) throw new Error(`did not reach the server unchanged: ${show(lost[0])}`);
  const ownIds = new Set(own.map(idOf));
  const sent = server.received.filter((line) => !isResponse(line) || !ownIds.has(idOf(line)));
  const ids = new Set(sent.map(idOf));
  const read = client.received.filter((line) => !rules.vetoes || !isResponse(line) || ids.has(idOf(line)));
  // A client that is killed does not read lines in transit.
  const last = sent.findLastIndex(isResponse);
  if (rules.killed && read.length > last) sent.length = Math.min(sent.length, read.length);
  if (!rules.vetoes && read.length !== sent.length)
    throw new Error(`the server sent ${sent.length} lines, the client read ${read.length}; last ${show(read.at(-1))}`);
  return compareReceived(sent, ordered(sent, read), rules);
}
