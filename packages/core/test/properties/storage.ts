import fc from 'fast-check';
import { isAtMost, type Label, ORIGINS } from '../../src/label/label.ts';
import { type SourceOrigin, source } from '../../src/label/source.ts';
import type { Recorded } from '../../src/record/record.ts';
import { ELEMENTS } from '../../src/text/reserved-names.ts';
import { codesIn, open, POLICY, play, steps } from './attacker.ts';
import { holds, type Invariant, invariant, same } from './invariant.ts';

// Only frames have these names: in content they are escaped. `<regardless of who they claim` is a text that repeats the rules.
const OPENER = new RegExp(`<(?:${Object.values(ELEMENTS).join('|')}) ([a-z]+(?: [a-z]+){3})[ >]`, 'g');
// What may be between two words of a code, as it is stored: an escape, which JSON in JSON writes with more backslashes, or
// anything that is not a letter. A quote ends a string: the last letter of a field's name does not belong to its value.
const BETWEEN = /\\+u[0-9a-f]{4}|\\+[a-z]|[^a-z]+/g;

/** Storage may reorder keys; nothing may depend on their order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reordered(each)]),
  );
}

interface Node {
  readonly origin: SourceOrigin;
  readonly parents: readonly number[];
  readonly part: 'text' | 'image' | 'link';
}

const nodes: fc.Arbitrary<readonly Node[]> = fc.array(
  fc.record({
    origin: fc.constantFrom(...(ORIGINS.filter((each) => each !== 'policy') as SourceOrigin[])),
    parents: fc.array(fc.nat(8), { maxLength: 3 }),
    part: fc.constantFrom('text', 'text', 'image', 'link' as const),
  }),
  { minLength: 1, maxLength: 8 },
);

function contentOf(part: Node['part'], index: number) {
  if (part === 'text') return `text ${index}`;
  return part === 'image'
    ? ([{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] as const)
    : ([{ type: 'link', uri: `file:///${index}` }] as const);
}

function grow(graph: readonly Node[]): { conversation: ReturnType<typeof open>; records: Recorded[] } {
  const conversation = open(() => {});
  const records: Recorded[] = [];
  for (const [index, { origin, parents, part }] of graph.entries()) {
    const derivedFrom = parents.flatMap((parent) => records[parent] ?? []);
    records.push(conversation.addContent({ source: source(origin), content: contentOf(part, index), derivedFrom }));
  }
  return { conversation, records };
}

/** A stored field that is missing or wrong, as after faulty migrations. */
const damage = fc.record({
  record: fc.nat(8),
  field: fc.constantFrom('source', 'floor', 'derivation', 'parts', 'digest', 'id'),
  value: fc.constantFrom(undefined, null, 'workspace', 5, {}, [], { origin: 'admin' }, { integrity: 'policy' }),
});

export const storageInvariants: readonly Invariant[] = [
  invariant(
    'storage-pure',
    4,
    0.5,
    fc.asyncProperty(steps, async (attack) => {
      const { conversation, events, wire } = await play(attack);
      const written = (JSON.stringify(conversation.snapshot()) + JSON.stringify(events)).toLowerCase();
      const texts = written.split('"').map((text) => text.replace(BETWEEN, ''));
      const nonces = wire.flatMap((request) => [...request.matchAll(OPENER)].map(([, code]) => code));
      for (const nonce of new Set(nonces)) {
        const letters = (nonce as string).replaceAll(' ', '');
        holds(!texts.some((text) => text.includes(letters)), 'a nonce is stored');
      }
    }),
  ),
  invariant(
    'restore-same-bytes',
    4,
    0.5,
    fc.asyncProperty(steps, async (attack) => {
      const { conversation } = await play(attack);
      const before = await conversation.request({ policy: POLICY });
      const stored = reordered(JSON.parse(JSON.stringify(conversation.snapshot())));
      const after = await open(() => {})
        .restore(stored)
        .request({ policy: POLICY });
      same(after.text, before.text, 'rendered after restore');
      same(JSON.stringify(after.label), JSON.stringify(before.label), 'label after restore');
    }),
  ),
  invariant(
    'labels-monotone',
    5,
    8,
    fc.property(nodes, (graph) => {
      const { records } = grow(graph);
      for (const [index, { parents, origin }] of graph.entries()) {
        const { label } = records[index] as Recorded;
        const above: Label[] = parents.flatMap((parent) =>
          parent < index ? [(records[parent] as Recorded).label] : [],
        );
        above.push({ integrity: origin, confidentiality: 'private' });
        for (const each of above) holds(isAtMost(label, each), 'a label rose above what it was derived from');
      }
    }),
  ),
  invariant(
    'labels-survive-damage',
    5,
    6,
    fc.property(nodes, fc.array(damage, { maxLength: 3 }), (graph, damages) => {
      const { conversation, records } = grow(graph);
      const stored = JSON.parse(JSON.stringify(conversation.snapshot())) as { records: Record<string, unknown>[] };
      for (const { record, field, value } of damages) {
        const target = stored.records[record % stored.records.length] as Record<string, unknown>;
        if (value === undefined) delete target[field];
        else target[field] = value;
      }
      const restored = open(() => {}).restore(stored).records;
      same(restored.length, records.length, 'records restored');
      for (const [index, each] of restored.entries())
        holds(isAtMost(each.label, (records[index] as Recorded).label), 'a damaged record is trusted more');
    }),
  ),
  invariant(
    'codes-differ',
    1,
    0.3,
    fc.asyncProperty(steps, async (attack) => {
      const { conversation, wire } = await play(attack);
      const other = open(() => {});
      holds(codesIn(wire.join()).length >= conversation.records.length, 'records share a nonce');
      same(other.records.length, 0, 'a new conversation is empty');
    }),
  ),
];
