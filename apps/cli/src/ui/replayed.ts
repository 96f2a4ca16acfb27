import { partName, shownValues } from '@sallyport/mcp-proxy';
import type { CallEntry, Played, PlayedEntry, ReadEntry } from '../replay/play.ts';
import { UiProblem } from './problem.ts';

const ORIGINS: Readonly<Record<string, string>> = {
  policy: 'system',
  system: 'system',
  user: 'user',
  workspace: 'memory',
};

function textOf({ recordId, part, origin, name, text, spans }: ReadEntry) {
  return {
    type: 'text',
    id: partName(recordId, part),
    origin: ORIGINS[origin] ?? 'external',
    ...(name !== undefined && { name }),
    text,
    spans: spans.map(({ start, end, tag, likelihood }) => ({ start, end, tag, likelihood })),
  };
}

function callOf({ effect, decision }: CallEntry, id: string) {
  const { call, judged, rule, cell, reason } = decision;
  return {
    type: 'call',
    id,
    server: 'file',
    tool: call.tool,
    effect,
    arguments: call.argumentsJson,
    outcome: judged,
    rule,
    ...(cell !== undefined && { cell }),
    reason,
    values: shownValues(decision),
  };
}

function shownEntry(entry: PlayedEntry, index: number): unknown {
  const id = `entry ${index}`;
  switch (entry.type) {
    case 'read':
      return textOf(entry);
    case 'call':
      return callOf(entry, id);
    case 'words':
      return { type: 'text', id, origin: 'model', text: entry.text, spans: [] };
    case 'unclear':
      return { type: 'text', id, origin: 'model', name: 'not understood', text: entry.what, spans: [] };
  }
}

interface Conversation {
  readonly name: string;
  readonly time: string;
  readonly entries: number;
  /** JSON lines. */
  readonly lines: string;
}

/** Characters that are kept of all files. */
const MAX_LENGTH = 200_000_000;

/** The conversations of the files that the command was given. */
export class ReplayedConversations {
  readonly #principal: string;
  readonly #time = new Date().toISOString();
  readonly #conversations: Conversation[] = [];
  #length = 0;
  /** How many were left out, because there was too much. */
  leftOut = 0;

  constructor(principal: string) {
    this.#principal = principal;
  }

  add({ id, entries }: Played): void {
    const end = { type: 'end', entries: entries.length, isCut: false };
    const lines = [...entries.map(shownEntry), end].map((each) => `${JSON.stringify(each)}\n`).join('');
    if (this.#length + lines.length > MAX_LENGTH) {
      this.leftOut++;
      return;
    }
    this.#length += lines.length;
    this.#conversations.push({ name: id, time: this.#time, entries: entries.length, lines });
  }

  list(): readonly unknown[] {
    return this.#conversations.map(({ name, time, entries }, index) => {
      return { id: String(index), principal: this.#principal, name, from: time, to: time, entries };
    });
  }

  read(id: string): string {
    const found = /^\d{1,9}$/.test(id) ? this.#conversations[Number(id)] : undefined;
    if (found === undefined)
      throw new UiProblem(404, 'There is no such conversation.', 'The list shows those of the files.');
    return found.lines;
  }
}
