import { type JsonNode, readJson } from '@sallyport/core/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deep, written } from '../../core/test/fixture/json.ts';
import { Edits } from '../src/json/edit.ts';

/** What is done to one node, drawn for every node in the order of the text. */
interface Change {
  readonly removed: number;
  readonly adds: number;
  readonly isReplaced: boolean;
}

const ADDED = 12345678901234567890n;

/** Applies changes to a text with Edits, and to its value by hand, and returns both. */
class Twice {
  readonly #text: string;
  readonly #changes: readonly Change[];
  readonly edits: Edits;
  #next = 0;

  constructor(text: string, changes: readonly Change[]) {
    this.#text = text;
    this.#changes = changes;
    this.edits = new Edits(text);
  }

  /** The JSON that must come out, without blanks: written from what is kept. */
  expected(node: JsonNode): string {
    const change = this.#changes[this.#next++ % this.#changes.length] as Change;
    if (change.isReplaced) {
      this.edits.replace(node.start, node.end, `{"new":${ADDED}}`);
      return `{"new":${ADDED}}`;
    }
    if (node.type !== 'object' && node.type !== 'array') return this.#text.slice(node.start, node.end);
    return this.#holder(node, change);
  }

  #holder(node: JsonNode, { removed, adds }: Change): string {
    const kept: string[] = [];
    for (const [index, member] of node.members.entries()) {
      const isRemoved = ((removed >> index) & 1) === 1;
      // What is removed may be changed as well: then it is gone all the same.
      const value = this.expected(member.value);
      const name = member.name === undefined ? '' : `${this.#text.slice(member.start, member.value.start)}`;
      if (isRemoved) this.edits.remove(node, member);
      else kept.push(name + value);
    }
    for (let count = 0; count < adds; count++) {
      const name = node.type === 'object' ? `added ${count}` : undefined;
      this.edits.add(node, name, String(ADDED));
      kept.push(name === undefined ? String(ADDED) : `${JSON.stringify(name)}:${ADDED}`);
    }
    return node.type === 'object' ? `{${kept.join(',')}}` : `[${kept.join(',')}]`;
  }
}

const changes = fc.array(
  fc
    .record({ removed: fc.nat({ max: 15 }), adds: fc.nat({ max: 2 }), isReplaced: fc.boolean() })
    .map(({ removed, adds, isReplaced }): Change => ({ removed, adds, isReplaced: isReplaced && removed > 11 })),
  { minLength: 1, maxLength: 12 },
);

/** The tokens of a JSON text as they are written: blanks between them are gone, all else stays. */
function tokens(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[^\s,:[\]{}"]+|[,:[\]{}]/gu) ?? [];
}

describe('Edits', () => {
  it('produces the expected tokens for any removals, additions and replacements', () => {
    fc.assert(
      fc.property(written(true), changes, ({ text }, all) => {
        const { root } = readJson(text);
        const twice = new Twice(text, all);
        const expected = twice.expected(root);
        const result = twice.edits.apply() ?? text;
        expect(tokens(result)).toEqual(tokens(expected));
        expect(JSON.parse(result)).toStrictEqual(JSON.parse(expected));
      }),
      { numRuns: 1500 },
    );
  });

  it('returns undefined without edits', () => {
    expect(new Edits('{"a":1}').apply()).toBe(undefined);
  });

  it('leaves every byte before and after a replaced value unchanged', () => {
    fc.assert(
      fc.property(written(true), fc.nat(), ({ text }, pick) => {
        const nodes: JsonNode[] = [readJson(text).root];
        for (let at = 0; at < nodes.length; at++)
          nodes.push(...(nodes[at] as JsonNode).members.map(({ value }) => value));
        const { start, end } = nodes[pick % nodes.length] as JsonNode;
        const edits = new Edits(text);
        edits.replace(start, end, '"new"');
        expect(edits.apply()).toBe(`${text.slice(0, start)}"new"${text.slice(end)}`);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', [0], '{ "b" : 2 , "c" : 3 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', [1], '{ "a" : 1 , "c" : 3 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', [2], '{ "a" : 1 , "b" : 2 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', [1, 2], '{ "a" : 1 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', [0, 2], '{ "b" : 2 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', [0, 1, 2], '{  }'],
    ['[1,2 ,3]', [0, 1], '[3]'],
    ['[1]', [0], '[]'],
  ])('removes members from %s: %j', (text, indexes, expected) => {
    const { root } = readJson(text);
    const edits = new Edits(text);
    for (const index of indexes) edits.remove(root, root.members[index] as never);
    expect(edits.apply()).toBe(expected);
  });

  it('adds to an empty object, and to one whose members were all removed', () => {
    const { root } = readJson('{"a":{},"b":[]}');
    const edits = new Edits('{"a":{},"b":[]}');
    edits.add(root.members[0]?.value as JsonNode, 'x', '1');
    edits.add(root.members[1]?.value as JsonNode, undefined, '2');
    edits.add(root.members[1]?.value as JsonNode, undefined, '3');
    expect(edits.apply()).toBe('{"a":{"x":1},"b":[2,3]}');
  });

  it('edits the innermost of 100000 levels', () => {
    const text = deep(100_000, '"old"');
    let node = readJson(text).root;
    while (node.members[0] !== undefined) node = node.members[0].value;
    const edits = new Edits(text);
    edits.replace(node.start, node.end, '"new"');
    expect(edits.apply()).toBe(deep(100_000, '"new"'));
  });
});
