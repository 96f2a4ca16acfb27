// What a proxy did to the lines that passed it: those of its two sides beside each other.
import { existsSync, readFileSync } from 'node:fs';
import { differenceOf, type Structured } from './compare.ts';
import { isObject, opened, openedLine, unframed } from './open.ts';

/** Lines of one side: what the server was sent there, and what it said. */
export interface Side {
  readonly sent: readonly string[];
  readonly said: readonly string[];
}

/** How many of the server's lines came through as they were, opened to the same bytes, or changed by design. */
export interface Wire {
  readonly equal: number;
  readonly opened: number;
  readonly changed: number;
}

export interface WireRules {
  readonly structured: Structured;
  /** Nothing may be rewritten. */
  readonly raw: boolean;
  /** The proxy is ours: it says how frames are read, where a server greets. */
  readonly ours: boolean;
  /** No string of three or more words may stand outside a frame. */
  readonly framed: boolean;
  /** Calls may be kept from the server. */
  readonly vetoes: boolean;
  /** The client ends while the server may still speak. */
  readonly killed: boolean;
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** What a tee of this name kept. */
export function sideOf(file: string): Side {
  return { sent: linesOf(`${file}.in`), said: linesOf(`${file}.out`) };
}

const SHOWN = 240;
const show = (line: string | undefined): string => (line === undefined ? 'nothing' : line.slice(0, SHOWN));
/** Both lines where they begin to differ. */
function contrast(line: string, seen: string): string {
  let at = 0;
  while (at < line.length && line[at] === seen[at]) at++;
  const start = Math.max(0, at - 40);
  return `the server said ...${show(line.slice(start))}, the client read ...${show(seen.slice(start))}`;
}

const idOf = (line: string): unknown => {
  const message: unknown = JSON.parse(line);
  return isObject(message) ? message.id : undefined;
};
const isGreeting = (line: string): boolean => line.includes('"protocolVersion"') && line.includes('"serverInfo"');
const isResponse = (line: string): boolean => {
  const message: unknown = JSON.parse(line);
  return isObject(message) && message.method === undefined;
};

/** What the client sent and did not arrive, and what arrived that it did not send: questions of the proxy itself. */
function passed(sent: readonly string[], arrived: readonly string[]): { missing: string[]; own: string[] } {
  const missing: string[] = [];
  const own: string[] = [];
  let at = 0;
  for (const line of sent) {
    // What a client hands back unread may have been framed for it.
    const given = openedLine(line);
    const found = arrived.findIndex((each, index) => index >= at && (each === line || each === given));
    if (found < 0) {
      missing.push(line);
      continue;
    }
    own.push(...arrived.slice(at, found));
    at = found + 1;
  }
  return { missing, own: [...own, ...arrived.slice(at)] };
}

/** Compares what the server said with what the client read. Throws at the first line that should not be as it is. */
function compareSaid(said: readonly string[], read: readonly string[], rules: WireRules): Wire {
  const count = { equal: 0, opened: 0, changed: 0 };
  for (const [index, line] of said.entries()) {
    const seen = read[index];
    if (seen === line) count.equal++;
    else if (seen === undefined) throw new Error(`the client did not read ${show(line)}`);
    else if (rules.raw && !(rules.ours && isGreeting(line))) throw new Error(contrast(line, seen));
    else if (openedLine(seen) === line) count.opened++;
    else {
      const difference = differenceOf(JSON.parse(line), opened(JSON.parse(seen)), rules.structured, 'line');
      if (difference !== undefined) throw new Error(`${difference}, in ${show(seen)}`);
      count.changed++;
    }
    const [bare] = rules.framed ? unframed(JSON.parse(seen)) : [];
    if (bare !== undefined) throw new Error(`not framed ${show(bare)}`);
  }
  return count;
}

/** Lines of answers may come in another order than the server gave them; everything else may not. */
function ordered(said: readonly string[], read: readonly string[]): string[] {
  const isAnswered =
    said.length === read.length && said.every((line, index) => idOf(line) === idOf(read[index] as string));
  if (isAnswered) return [...read];
  const answers = new Map(read.filter(isResponse).map((line) => [idOf(line), line]));
  const others = read.filter((line) => !isResponse(line));
  return said.flatMap((line) => (isResponse(line) ? (answers.get(idOf(line)) ?? []) : (others.shift() ?? [])));
}

export function compareWire(client: Side, server: Side, rules: WireRules): Wire {
  const { missing, own } = passed(client.sent, server.sent);
  const lost = rules.vetoes ? missing.filter((line) => !line.includes('"tools/call"')) : missing;
  if (lost.length > 0) throw new Error(`did not reach the server as it was: ${show(lost[0])}`);
  const asked = new Set(own.map(idOf));
  const said = server.said.filter((line) => !isResponse(line) || !asked.has(idOf(line)));
  const ids = new Set(said.map(idOf));
  const read = client.said.filter((line) => !rules.vetoes || !isResponse(line) || ids.has(idOf(line)));
  // A client that is killed does not read what is on its way.
  const last = said.findLastIndex(isResponse);
  if (rules.killed && read.length > last) said.length = Math.min(said.length, read.length);
  if (!rules.vetoes && read.length !== said.length)
    throw new Error(`the server said ${said.length} lines, the client read ${read.length}; last ${show(read.at(-1))}`);
  return compareSaid(said, ordered(said, read), rules);
}
