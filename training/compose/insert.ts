// Inserts a text into another one, as the notation of that text allows. Marks delimit the inserted text, so that its position is
// known after escaping.
import type { Random } from '../random.ts';

export const OPEN = '\ue000';
export const CLOSE = '\ue001';

export interface Inserted {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function marked(text: string): string {
  return `${OPEN}${text}${CLOSE}`;
}

/** Removes the marks and returns their positions. */
export function unmark(text: string): Inserted {
  const start = text.indexOf(OPEN);
  const end = text.indexOf(CLOSE) - 1;
  return { text: text.replace(OPEN, '').replace(CLOSE, ''), start, end };
}

function at(text: string, index: number, inserted: string): string {
  return text.slice(0, index) + inserted + text.slice(index);
}

function borders(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
}

function intoProse(random: Random, host: string, text: string): string {
  const paragraphs = borders(host, /\n\s*\n/g);
  const sentences = borders(host, /[.!?\u3002\uff01\uff1f]\s?(?=\s|\S)/g);
  const lines = borders(host, /\n/g);
  const roll = random.next();
  if (roll < 0.25) return `${host}${random.pick(['\n', '\n\n', ' ', '\n\n---\n'])}${marked(text)}`;
  if (roll < 0.35) return `${marked(text)}${random.pick(['\n', '\n\n', ' '])}${host}`;
  if (roll < 0.6 && paragraphs.length > 0) return at(host, random.pick(paragraphs), `${marked(text)}\n\n`);
  if (roll < 0.75 && lines.length > 0)
    return at(host, random.pick(lines), `${random.pick(['', '- ', '* ', '> ', '# '])}${marked(text)}\n`);
  if (sentences.length > 0) return at(host, random.pick(sentences), ` ${marked(text)} `);
  return `${host}\n${marked(text)}`;
}

function intoHtml(random: Random, host: string, text: string): string {
  const inner = marked(text.replaceAll('<', '&lt;'));
  const forms = [
    `<p>${inner}</p>`,
    `<!-- ${inner} -->`,
    `<div style="display:none">${inner}</div>`,
    `<span style="font-size:0">${inner}</span>`,
    `<li>${inner}</li>`,
    `<div>${inner}</div>`,
    `<img src="x.png" alt="${inner.replaceAll('"', '&quot;')}">`,
    ` ${inner} `,
  ];
  const places = borders(host, /<\/(?:p|div|li|td|h[1-6]|section|ul|table|article)>|<br ?\/?>/g);
  const place = places.length > 0 ? random.pick(places) : host.length;
  return at(host, place, random.pick(forms));
}

function intoJson(random: Random, host: string, text: string): string {
  const strings = [...host.matchAll(/:\s*"((?:[^"\\]|\\.){4,})"/g)];
  if (strings.length === 0) return intoProse(random, host, text);
  const chosen = random.pick(strings);
  const value = chosen[1] as string;
  const start = chosen.index + chosen[0].length - 1 - value.length;
  const escaped = marked(JSON.stringify(text).slice(1, -1));
  const roll = random.next();
  if (roll < 0.45) return host.slice(0, start) + escaped + host.slice(start + value.length);
  const glue = random.pick([' ', '\\n', '\\n\\n']);
  return roll < 0.8 ? at(host, start + value.length, glue + escaped) : at(host, start, escaped + glue);
}

function intoCode(random: Random, host: string, text: string): string {
  const lines = borders(host, /\n/g);
  const place = lines.length > 0 ? random.pick(lines) : 0;
  const prefix = random.pick(['// ', '# ', '-- ', '/* ', ' * ', '; ', '"""', '']);
  const body = text.replace(/\n/g, `\n${prefix.trim() === '"""' ? '' : prefix}`);
  const suffix = prefix === '/* ' ? ' */' : prefix === '"""' ? '"""' : '';
  return at(host, place, `${prefix}${marked(body)}${suffix}\n`);
}

function intoTable(random: Random, host: string, text: string): string {
  const cells = borders(host, /[|,\t]/g);
  if (cells.length === 0) return intoProse(random, host, text);
  return at(host, random.pick(cells), ` ${marked(text.replaceAll('\n', ' '))} `);
}

/** One text within another; the channel is the notation of the host. */
export function insert(random: Random, host: string, channel: string, text: string): Inserted {
  const into =
    channel === 'json'
      ? intoJson
      : channel === 'web' || channel === 'html'
        ? intoHtml
        : channel === 'code' && random.chance(0.7)
          ? intoCode
          : channel === 'table' || channel === 'csv'
            ? intoTable
            : intoProse;
  return unmark(into(random, host.replace(/[\ue000\ue001]/g, ''), text.replace(/[\ue000\ue001]/g, '')));
}

/** Fills a `{goal}` and returns its position. */
export function fillGoal(wrapper: string, goal: string): Inserted {
  const start = wrapper.indexOf('{goal}');
  return { text: wrapper.replace('{goal}', () => goal), start, end: start + goal.length };
}
