// Without those that join letters and emoji. Line breaks are part of a text. A letter with more than eight marks grows over the
// lines around it.
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f|\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{8})\p{M}/gu;

/** A piece of a text of others: as it is, or a character that a screen obeys or does not show, by its number. */
export interface VisiblePiece {
  readonly text: string;
  readonly isEscape: boolean;
}

function escapeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Divides a text of others, so that none of its characters can hide, or turn the direction of its neighbours. */
export function visiblePieces(text: string): readonly VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  const plain = text.replace(/\r\n?/g, '\n').replaceAll('\t', '  ');
  let from = 0;
  for (const match of plain.matchAll(UNSEEN)) {
    if (match.index > from) pieces.push({ text: plain.slice(from, match.index), isEscape: false });
    pieces.push({ text: escapeOf(match[0]), isEscape: true });
    from = match.index + match[0].length;
  }
  if (from < plain.length) pieces.push({ text: plain.slice(from), isEscape: false });
  return pieces;
}

/** The same as one string, for attributes. */
export function visibleText(text: string): string {
  return visiblePieces(text)
    .map(({ text: piece, isEscape }) => (isEscape ? `[${piece}]` : piece))
    .join('');
}
