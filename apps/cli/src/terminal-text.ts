function escaped(point: number): string {
  const digits = point.toString(16);
  return point > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/**
 * Escapes the characters that a terminal obeys or does not show: controls, marks that change the direction of text, and characters
 * without width. Keeps line breaks and tabs.
 */
export function escapeControls(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, (character) =>
    escaped(character.codePointAt(0) as number),
  );
}

/** Untrusted text for a terminal: on one line, with control and invisible characters escaped. */
export function printable(text: string, maxLength = 400): string {
  const plain = escapeControls(text).replace(/[\n\t]/g, ' ');
  return plain.length <= maxLength
    ? plain
    : `${plain.slice(0, maxLength).toWellFormed()} ... (${plain.length} characters)`;
}

/** A number with its noun, such as 1 tool and 2 tools. */
export function countOf(number: number, thing: string, things = `${thing}s`): string {
  return `${number} ${number === 1 ? thing : things}`;
}

const MAX_MESSAGE_LENGTH = 2000;

/** An error of a command: what went wrong, and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly next: string;
  readonly exitCode: number;
  readonly others: readonly CommandError[];

  constructor(message: string, next: string, exitCode = 1, others: readonly CommandError[] = []) {
    super(message);
    this.others = others;
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** The lines printed for an error. It may contain names of files and servers, which are untrusted. */
export function errorLines({ message, next, others }: CommandError): string {
  const lines = `error: ${printable(message, MAX_MESSAGE_LENGTH)}\n next: ${printable(next, MAX_MESSAGE_LENGTH)}\n`;
  return lines + others.map(errorLines).join('');
}

const COLORS = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;

export type Paint = (color: keyof typeof COLORS, text: string) => string;

/** Colours text on a terminal; elsewhere returns it unchanged. */
export function painter(isColored: boolean): Paint {
  return (color, text) => (isColored ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text);
}
