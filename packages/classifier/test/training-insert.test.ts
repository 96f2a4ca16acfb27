import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsFor, NOTATIONS } from '../../../training/compose/envelope.ts';
import { fillGoal, insert, unmark } from '../../../training/compose/insert.ts';
import { Random } from '../../../training/random.ts';

const HOSTS: Readonly<Record<string, string>> = {
  text: 'A first paragraph. It has two sentences.\n\nA second one.\nAnd a last line.',
  mail: 'One line without any end',
  json: '{"id": "a1b2c3", "body": "a \\"quoted\\" value", "more": {"note": "another one"}}',
  web: '<div><p>First.</p><ul><li>Item</li></ul><br/>Text</div>',
  html: 'no tags at all',
  code: 'function add(a, b) {\n  return a + b;\n}\n',
  table: '| a | b |\n|---|---|\n| 1 | 2 |',
  csv: 'a,b,c\n1,2,3',
  bare: '',
};
const CHANNELS = Object.keys(HOSTS);

const payloads = fc
  .array(
    fc.constantFrom(
      'Send it',
      ' now',
      '\n',
      '"',
      "'",
      '<b>',
      '\\',
      '$&',
      '$1',
      '{goal}',
      '|',
      ',',
      '\u5ffd',
      '\ud83d\ude00',
      '.',
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => `x${pieces.join('')}x`);

/** Every way in which a notation may write a text down, undone. */
function readings(written: string): string[] {
  const unescaped = written.replaceAll('&quot;', '"').replaceAll('&lt;', '<');
  const readings = [written, unescaped];
  try {
    readings.push(JSON.parse(`"${written}"`) as string);
  } catch (cause) {
    // Not a string of JSON: then it was not written as one.
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return readings;
}

/** A table writes blanks for line breaks, and code begins each line with a sign of comment. */
const flat = (text: string): string => text.replace(/\n(?:\/\/ |# |-- |\/\* | \* |; )?/g, ' ');

describe('a text put into another', () => {
  it.each(CHANNELS)('is found at the place that is returned (%s)', (channel) => {
    fc.assert(
      fc.property(fc.integer(), payloads, (seed, payload) => {
        const { text, start, end } = insert(new Random(seed), HOSTS[channel] as string, channel, payload);
        expect(start >= 0 && start < end && end <= text.length).toBe(true);
        expect(readings(text.slice(start, end)).map(flat)).toContain(flat(payload));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['text', 'mail', 'bare'])('leaves the words of the host around it (%s)', (channel) => {
    fc.assert(
      fc.property(fc.integer(), payloads, (seed, payload) => {
        const host = HOSTS[channel] as string;
        const { text, start, end } = insert(new Random(seed), host, channel, payload);
        const rest = (text.slice(0, start) + text.slice(end)).replace(/[\s>*#-]/g, '');
        expect(rest).toBe(host.replace(/[\s>*#-]/g, ''));
      }),
    );
  });

  it('makes JSON that still parses, with the text in a value', () => {
    fc.assert(
      fc.property(fc.integer(), payloads, (seed, payload) => {
        const { text } = insert(new Random(seed), HOSTS.json as string, 'json', payload);
        const { id, body, more } = JSON.parse(text) as { id: string; body: string; more: { note: string } };
        expect([id, body, more.note].some((value) => value.includes(payload))).toBe(true);
      }),
    );
  });

  it('carries no marks, and is not misled by marks that were there', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...CHANNELS), (seed, channel) => {
        const host = `\ue001${HOSTS[channel] as string}\ue000`;
        const { text, start, end } = insert(new Random(seed), host, channel, '\ue001Send\ue000 it');
        expect(text).not.toMatch(/[\ue000\ue001]/);
        expect(text.slice(start, end)).toBe('Send it');
      }),
    );
  });

  it('is placed in more than one way in each host with several places', () => {
    for (const channel of ['text', 'json', 'web', 'code', 'table']) {
      const made = Array.from(
        { length: 40 },
        (_, seed) => insert(new Random(seed), HOSTS[channel] as string, channel, 'x').text,
      );
      expect(new Set(made).size).toBeGreaterThan(3);
    }
  });

  it('is the same from the same seed', () => {
    const make = () => insert(new Random(5), HOSTS.web as string, 'web', 'Send it');
    expect(make()).toEqual(make());
  });
});

describe('a record', () => {
  it.each(NOTATIONS.map((notation, index) => ({ index, notation })))(
    'in notation $index holds the text at its marks',
    ({ notation }) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const fields = fieldsFor(new Random(seed), 'before \ue000Send it now\ue001 after');
          const { text, start, end } = unmark(notation(fields));
          expect(text.slice(start, end)).toBe('Send it now');
          expect(text).not.toMatch(/[\ue000\ue001]/);
        }),
        { numRuns: 50 },
      );
    },
  );

  it('has no field twice: the later would hide the earlier', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const keys = fieldsFor(new Random(seed), 'text').map(([key]) => key);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe('a goal in its wrapper', () => {
  it.each([
    {
      title: 'in the middle',
      wrapper: 'Dear AI, {goal} Thanks.',
      goal: 'send it.',
      expected: 'Dear AI, send it. Thanks.',
    },
    { title: 'alone', wrapper: '{goal}', goal: 'send it', expected: 'send it' },
    {
      title: 'with signs that a replacement would read',
      wrapper: 'a {goal} b',
      goal: '$& $1 $$',
      expected: 'a $& $1 $$ b',
    },
    { title: 'that holds the mark itself', wrapper: 'a {goal} b', goal: '{goal}', expected: 'a {goal} b' },
  ])('is at the returned offsets ($title)', ({ wrapper, goal, expected }) => {
    const { text, start, end } = fillGoal(wrapper, goal);
    expect(text).toBe(expected);
    expect(text.slice(start, end)).toBe(goal);
  });
});
