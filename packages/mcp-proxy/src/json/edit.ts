import type { JsonMember, JsonNode } from '@sallyport/core/json';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits of a JSON text. Everything else keeps its bytes: numbers, order, white space, unknown members. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  readonly #removed = new Map<JsonNode, Set<JsonMember>>();
  readonly #added = new Map<JsonNode, string[]>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a value or a name with JSON. */
  replace(start: number, end: number, json: string): void {
    this.#edits.push({ start, end, text: json });
  }

  remove(holder: JsonNode, member: JsonMember): void {
    const removed = this.#removed.get(holder) ?? new Set();
    this.#removed.set(holder, removed.add(member));
  }

  /** Adds a last member to an object, or without a name a last item to an array. */
  add(holder: JsonNode, name: string | undefined, json: string): void {
    const added = this.#added.get(holder) ?? [];
    added.push(name === undefined ? json : `${JSON.stringify(name)}:${json}`);
    this.#added.set(holder, added);
  }

  /** The edited text, or undefined if there are no edits. */
  apply(): string | undefined {
    // Removals first: a removed member stays removed even if it was also replaced.
    const edits = [...this.#removed].flatMap(([holder, removed]) => removals(holder, removed)).concat(this.#edits);
    for (const [holder, added] of this.#added) {
      const kept = holder.members.length - (this.#removed.get(holder)?.size ?? 0);
      edits.push({ start: holder.end - 1, end: holder.end - 1, text: (kept > 0 ? ',' : '') + added.join(',') });
    }
    if (edits.length === 0) return undefined;
    // A removed value may contain a replaced one. The larger edit wins.
    edits.sort((a, b) => a.start - b.start || b.end - a.end);
    let output = '';
    let from = 0;
    for (const { start, end, text } of edits) {
      if (start < from) continue;
      output += this.#text.slice(from, start) + text;
      from = end;
    }
    return output + this.#text.slice(from);
  }
}

/**
 * The ranges to cut for members and their commas: the comma after each, or the one before if no later member is kept.
 */
function removals({ members }: JsonNode, removed: ReadonlySet<JsonMember>): Edit[] {
  const lastKept = members.findLastIndex((member) => !removed.has(member));
  const edits = members.slice(0, Math.max(lastKept, 0)).flatMap((member, index): Edit[] => {
    const next = members[index + 1] as JsonMember;
    return removed.has(member) ? [{ start: member.start, end: next.start, text: '' }] : [];
  });
  const last = members.at(-1);
  if (last !== undefined && lastKept < members.length - 1) {
    const start = lastKept < 0 ? (members[0] as JsonMember).start : (members[lastKept] as JsonMember).value.end;
    edits.push({ start, end: last.value.end, text: '' });
  }
  return edits;
}
