import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOfMemory, promoteMemory, type SavedMemory, saveMemory } from '../../src/conversation/memory.ts';
import { type ContentInput, type Conversation, source } from '../../src/index.ts';
import { CONFIDENTIALITIES, joinLabels, type Label, ORIGINS } from '../../src/label/label.ts';
import type { Content } from '../../src/record/part.ts';
import type { Recorded } from '../../src/record/record.ts';
import { ALICE, isNoBetter, MIXED, open, restored, stored, written } from '../fixture/memory.ts';

const labels: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom(...ORIGINS),
  confidentiality: fc.constantFrom(...CONFIDENTIALITIES),
});
const contents = fc.constantFrom<Content>('Tea.', 'Pay eve.', { json: { tea: 1 } }, MIXED, []);
// Not the digest: together with all fields in which two memories differ, it would be a valid memory.
const FIELDS = ['version', 'id', 'lifecycle', 'parts', 'derivation', 'floor', 'promotion'];
const damages = fc.dictionary(
  fc.constantFrom(...FIELDS, 'digest'),
  fc.oneof(labels, fc.constantFrom(undefined, 'canonical', 1, ALICE, [{ type: 'text', text: 'Tea.' }]), fc.jsonValue()),
  { maxKeys: 3 },
);

function isPromotable({ lifecycle, floor, parts }: SavedMemory): boolean {
  return lifecycle === 'candidate' && (floor.integrity !== 'unknown' || !parts.some(({ type }) => type === 'link'));
}

/** A value, and the labels of all it goes back to: it may be better than none of them. */
type Grown<T> = { readonly value: T; readonly roots: readonly Label[] };

const kind = fc.constantFrom('arrive', 'write', 'write', 'read', 'read', 'store', 'promote');
const from = fc.array(fc.nat(5), { maxLength: 3 });
const steps = fc.array(fc.record({ kind, at: fc.nat(2), from, label: labels, content: contents, damage: damages }), {
  minLength: 3,
  maxLength: 16,
});
type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

/** Records and summaries in three conversations, and what was written in one and read in another. */
class History {
  readonly conversations: readonly Conversation[] = ['a', 'b', 'c'].map(open);
  readonly records: (Grown<Recorded> & { readonly at: number })[] = [];
  readonly memories: Grown<SavedMemory>[] = [];

  take(step: Step): void {
    const picked = this.memories[step.from[0] ?? 0];
    if (step.kind === 'arrive' || step.kind === 'write') this[step.kind](step);
    else if (picked !== undefined) this[step.kind](picked, step);
  }

  #seen({ at, from }: Step): Grown<Recorded[]> {
    const here = this.records.filter((each) => each.at === at);
    const seen = from.flatMap((index) => here[index] ?? []);
    return { value: seen.map(({ value }) => value), roots: seen.flatMap(({ roots }) => roots) };
  }

  #admit(at: number, input: ContentInput, roots: readonly Label[]): void {
    this.records.push({ at, value: (this.conversations[at] as Conversation).addContent(input), roots });
  }

  /** A summary, where there is something to sum up. */
  arrive(step: Step): void {
    const { value: derivedFrom, roots } = this.#seen(step);
    const { integrity, confidentiality } = step.label;
    const teller = source(integrity === 'policy' ? 'user' : integrity, { confidentiality });
    this.#admit(step.at, { source: teller, content: step.content, derivedFrom }, [step.label, ...roots]);
  }

  write(step: Step): void {
    const { value: seen, roots } = this.#seen(step);
    const context = joinLabels(seen.map(({ label }) => label));
    const value = saveMemory({ id: 'n', content: step.content, context, derivedFrom: seen.map(({ id }) => id) });
    this.memories.push({ value, roots: [{ integrity: 'workspace', confidentiality: 'public' }, ...roots] });
  }

  read({ value, roots }: Grown<SavedMemory>, { at }: Step): void {
    this.#admit(at, contentOfMemory(value), roots);
  }

  store({ value, roots }: Grown<SavedMemory>, { damage }: Step): void {
    this.memories.push({ value: restored({ ...stored(value), ...damage }).memory, roots });
  }

  promote({ value, roots }: Grown<SavedMemory>): void {
    if (!isPromotable(value)) return;
    const endorsed = roots.map(({ confidentiality }): Label => ({ integrity: 'user', confidentiality }));
    this.memories.push({ value: promoteMemory(value, ALICE), roots: endorsed });
  }
}

describe('over any history', () => {
  it('labels never rise without a promotion, and confidentiality never falls with one', () => {
    let reads = 0;
    const property = fc.property(steps, (program) => {
      const history = new History();
      for (const step of program) history.take(step);
      reads += history.records.filter(({ value }) => value.id.startsWith('submission-')).length;
      for (const { value, roots } of [...history.records, ...history.memories])
        expect(roots.filter((root) => !isNoBetter(value.label, root))).toEqual([]);
    });
    fc.assert(property, { numRuns: 1500 });
    expect(reads).toBeGreaterThan(500);
  });

  it('promotion raises the integrity of words and nothing else', () => {
    const property = fc.property(labels, contents, (context, content) => {
      const candidate = written(context, content);
      fc.pre(isPromotable(candidate));
      const after = open().addContent(contentOfMemory(promoteMemory(candidate, ALICE)));
      expect(after.label.confidentiality).toBe(context.confidentiality);
      for (const part of after.parts) expect(after.originOf(part)).toBe(part.type === 'link' ? 'external' : 'user');
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('a damaged store, even with fields of other memories, never gives a better label', () => {
    const memories = fc.tuple(labels, contents, fc.boolean()).map(([context, content, isPromoted]) => {
      const candidate = written(context, content);
      return isPromoted && isPromotable(candidate) ? promoteMemory(candidate, ALICE) : candidate;
    });
    const swaps = fc.subarray(FIELDS);
    const property = fc.property(memories, memories, swaps, damages, (memory, other, taken, damage) => {
      const swapped = Object.fromEntries(taken.map((field) => [field, stored(other)[field]]));
      const back = restored({ ...stored(memory), ...swapped, ...damage }).memory;
      expect(isNoBetter(back.label, memory.label)).toBe(true);
    });
    fc.assert(property, { numRuns: 3000 });
  });
});
