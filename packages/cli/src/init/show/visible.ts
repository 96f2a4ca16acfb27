/**
 * Characters that a terminal obeys or does not show: controls, among them the one that begins an escape sequence, marks that
 * turn the direction of text, and blanks of no width. A stranger's file must not write over the diff that is to be confirmed.
 */
const HIDDEN = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** One line of text with nothing hidden in it. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
