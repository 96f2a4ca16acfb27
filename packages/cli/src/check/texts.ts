import { visit } from 'jsonc-parser';

/** A text in a file: the whole of it, or a string of its JSON. */
export interface FoundText {
  readonly text: string;
  /** A JSON pointer; undefined where the file is plain text. */
  readonly path: string | undefined;
  /** Where it stands in the file. */
  readonly start: number;
  readonly end: number;
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The strings of one JSON value, and the names in it; undefined where it is none. */
function stringsIn(json: string, base: number, prefix: string): FoundText[] | undefined {
  const found: FoundText[] = [];
  let isBroken = false;
  const add = (text: string, offset: number, length: number, path: readonly (string | number)[]): void => {
    found.push({ text, path: prefix + pointer(path), start: base + offset, end: base + offset + length });
  };
  try {
    visit(
      json,
      {
        onObjectProperty: (name, offset, length, _line, _column, path) => add(name, offset, length, [...path(), name]),
        onLiteralValue: (value, offset, length, _line, _column, path) => {
          if (typeof value === 'string') add(value, offset, length, path());
        },
        onError: () => {
          isBroken = true;
        },
      },
      { disallowComments: true },
    );
  } catch {
    // Nested deeper than anybody can read.
    isBroken = true;
  }
  return isBroken ? undefined : found;
}

/** Each line a JSON value of its own; undefined where one is not. */
function stringsOfLines(content: string): FoundText[] | undefined {
  const found: FoundText[] = [];
  let start = 0;
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() !== '') {
      const strings = stringsIn(line, start, `/${index}`);
      if (strings === undefined) return undefined;
      found.push(...strings);
    }
    start += line.length + 1;
  }
  return found;
}

/** The texts of a file: strings of JSON or of lines of JSON one by one, as an agent reads them; anything else as it is. */
export function textsOf(content: string): readonly FoundText[] {
  const whole = { text: content, path: undefined, start: 0, end: content.length };
  if (!/^\s*[[{"]/.test(content)) return [whole];
  return stringsIn(content, 0, '') ?? stringsOfLines(content) ?? [whole];
}
