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

/** Which tool a text speaks of: by the words of the tool's name, as far as the beginnings of words go. */

// In names of tools these say nothing about what is done.
const GENERIC: ReadonlySet<string> = new Set(['git', 'api', 'get', 'the', 'tool', 'app', 'mcp', 'via', 'and', 'for']);
const STEM = 4;
const MIN_LENGTH = 3;

/** `delete` and `deleting`, `repo` and `repositories` begin alike. */
export function stemsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return new Set(words.filter(({ length }) => length >= MIN_LENGTH).map((word) => word.slice(0, STEM)));
}

function stemsOfTool(name: string): readonly string[] {
  return [...stemsOf(name)].filter((stem) => !GENERIC.has(stem));
}

/** Whether a text, by its stems, speaks of what a tool does: of at least half of the words of its name. */
export function speaksOf(stems: ReadonlySet<string>, tool: string): boolean {
  const wanted = stemsOfTool(tool);
  const met = wanted.filter((stem) => stems.has(stem)).length;
  return met > 0 && met * 2 >= wanted.length;
}
