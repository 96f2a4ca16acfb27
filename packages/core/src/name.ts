/** Whom a person names in what he says: the mail of somebody he named is what he asked the agent to heed. */

const NAME = /\p{Lu}\p{Ll}{2,}/gu;
const STARTS_SENTENCE = /(?:^|[.!?:;\n("'\u201c])[\s"'(\u201c]*$/u;
// What follows a name and hardly ever another first word: "Bob's", "Bob sent", "Bob asks".
const FOLLOWS_NAME = /^(?:['\u2019]s|\s+(?:\p{Ll}+(?:ed|s)|sent|wrote|said|told|and))(?!\p{L})/u;
const NO_NAMES: ReadonlySet<string> = new Set(
  [
    'this that there here what who which how when where why they all one these those inbox mail email',
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august',
    'september october november december',
  ].flatMap((line) => line.split(' ')),
);

/** Words with a capital, in lower case. At the beginning of a sentence every word has one: there it must look like a name. */
export function namesIn(text: string): string[] {
  const names: string[] = [];
  for (const { index, 0: word } of text.matchAll(NAME)) {
    const isFirst = STARTS_SENTENCE.test(text.slice(Math.max(0, index - 8), index));
    const looksLikeName = !isFirst || FOLLOWS_NAME.test(text.slice(index + word.length, index + word.length + 24));
    if (looksLikeName && !NO_NAMES.has(word.toLowerCase())) names.push(word.toLowerCase());
  }
  return names;
}
