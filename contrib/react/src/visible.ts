// Without those that join letters and emoji.
const UNSEEN = /(?:(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}])+/gu;

const MAX_LENGTH = 2000;
const ELLIPSIS = '\u2026';

/**
 * Untrusted text for a person to read. Characters that a screen obeys or does not show become one visible sign, so that no text can
 * turn the direction of its neighbours or hide a part of itself. Line breaks stay.
 */
export function visible(text: string, maxLength: number = MAX_LENGTH): string {
  const lines = text.slice(0, maxLength).replace(/\r\n?/g, '\n').replace(/\t/g, ' ').split('\n');
  const shown = lines.map((line) => line.replace(UNSEEN, '\ufffd')).join('\n');
  return text.length > maxLength ? `${shown}${ELLIPSIS}` : shown;
}
