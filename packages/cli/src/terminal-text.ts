function escaped(point: number): string {
  const digits = point.toString(16);
  return point > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/** Words of others on a terminal: on one line, without anything that moves the cursor or hides. */
export function shown(text: string, longest = 400): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, (character) =>
    character === '\n' || character === '\t' ? ' ' : escaped(character.codePointAt(0) as number),
  );
  return plain.length <= longest ? plain : `${plain.slice(0, longest).toWellFormed()} ... (${plain.length} characters)`;
}

const MAX_MESSAGE_LENGTH = 2000;

/** What went wrong, and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly next: string;
  readonly exitCode: number;

  constructor(message: string, next: string, exitCode = 1) {
    super(message);
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** An error, as it goes to a terminal: it may name files and servers, whose names others chose. */
export function errorLines({ message, next }: CommandError): string {
  return `error: ${shown(message, MAX_MESSAGE_LENGTH)}\n next: ${shown(next, MAX_MESSAGE_LENGTH)}\n`;
}

const COLORS = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;

export type Paint = (color: keyof typeof COLORS, text: string) => string;

/** Colours on a terminal, and none elsewhere. */
export function painter(isColored: boolean): Paint {
  return (color, text) => (isColored ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text);
}
