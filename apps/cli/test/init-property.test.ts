import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from '../src/diff/line-diff.ts';
import { painter } from '../src/terminal-text.ts';
import { planOf } from './init-rig.ts';

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('wrap', '--server', '-y', '@sallyport/cli', 'npx', '/* x */', '// "', ',', ']', '', ' ', '__proto__'),
);
const server = fc.record(
  {
    type: fc.constant('stdio'),
    command: fc.oneof(word, fc.constantFrom('node', 'npx', 'C:\\Program Files\\x')),
    args: fc.array(fc.oneof(word, fc.integer(), fc.constant(null))),
    env: fc.dictionary(word, word),
    disabled: fc.boolean(),
  },
  { requiredKeys: ['command'] },
);
const remote = fc.record({ url: fc.webUrl(), headers: fc.dictionary(word, word) });
const table = fc.dictionary(word, fc.oneof({ weight: 5, arbitrary: server }, remote, fc.jsonValue()));
const configuration = fc.record(
  {
    before: fc.jsonValue(),
    mcpServers: table,
    projects: fc.dictionary(word, fc.record({ mcpServers: table })),
    after: word,
  },
  { requiredKeys: ['mcpServers'] },
);
const indentation = fc.constantFrom<string | number | undefined>(2, 4, '\t', undefined, 1);
const style = fc.record({
  indentation,
  lineBreak: fc.constantFrom('\n', '\r\n'),
  mark: fc.boolean(),
  end: fc.boolean(),
});

const RUNS = 200;

test('undo restores the same bytes, for any servers and any style of JSON', () => {
  let changed = 0;
  fc.assert(
    fc.property(configuration, style, (value, { indentation, lineBreak, mark, end }) => {
      const json = JSON.stringify(value, null, indentation).replaceAll('\n', lineBreak);
      const text = `${mark ? '\uFEFF' : ''}${json}${end ? lineBreak : ''}`;
      const before = planOf(text, 'wrap', 'json');
      fc.pre(before.wrapped.before === 0);
      if (before.after !== text) changed++;
      const undone = planOf(before.after, 'unwrap', 'json');
      expect(undone.after).toBe(text);
      expect(planOf(before.after, 'wrap', 'json').after).toBe(before.after);
      // Only how servers are started or reached may differ.
      const strip = (source: string): string =>
        JSON.stringify(JSON.parse(source.replace(/^\uFEFF/, '')), (key, inner) =>
          ['command', 'args', 'url', 'headers', 'env'].includes(key) ? undefined : inner,
        );
      expect(strip(before.after)).toBe(strip(text));
    }),
    { numRuns: RUNS },
  );
  expect(changed).toBeGreaterThan(RUNS / 4);
});

test('the diff leads from one text to the other', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat({ max: 9 })), { maxLength: 8 }), (shapes) => {
      const servers = shapes.map(([isOpen, hasArgs, gap], index) => {
        const args = isOpen ? '[\n "x"\n]' : '["x"]';
        return `"s${index}": {\n"command": "c"${hasArgs ? `,\n"args": ${args}` : ''}${',\n"timeout": 1'.repeat(gap)}\n}`;
      });
      const text = `{\n"mcpServers": {\n${servers.join(',\n')}\n}\n}\n`;
      const { after } = planOf(text, 'wrap', 'json');
      const old = text.split('\n');
      const result: string[] = [];
      let at = 0;
      for (const line of lineDiff({ text }, { text: after }, painter(false))) {
        const [sign, content] = [line[0], line.slice(1)];
        if (sign === '@') {
          const [, from = '', length = '', start = ''] = /^@@ -(\d+),(\d+) \+(\d+),/.exec(line) ?? [];
          result.push(...old.slice(at, Number(from) - 1));
          at = Number(from) - 1;
          expect([result.length + 1, Number(length) > 0]).toEqual([Number(start), true]);
        } else {
          if (sign !== '+') expect(content).toBe(old[at++]);
          if (sign !== '-') result.push(content);
        }
      }
      expect([...result, ...old.slice(at)].join('\n')).toBe(after);
    }),
  );
});
