const NAME = /\p{Lu}\p{Ll}{2,}/gu;
const STARTS_SENTENCE = /(?:^|[.!?:;\n("'\u201c])[\s"'(\u201c]*$/u;
// Words that follow a name and rarely another first word of a sentence: "Bob's", "Bob sent", "Bob asks".
const FOLLOWS_NAME = /^(?:['\u2019]s|\s+(?:\p{Ll}+(?:ed|s)|sent|wrote|said|told|and))(?!\p{L})/u;
const NO_NAMES: ReadonlySet<string> = new Set(
  [
    'this that there here what who which how when where why they all one these those inbox mail email',
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august',
    'september october november december',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The people that a text names, in lower case: messages of a person whom the user named are content the user pointed at. Names
 * are capitalised words; at the start of a sentence, where every word is capitalised, the next word must suit a name.
 */
export function namesIn(text: string): string[] {
  const names: string[] = [];
  for (const { index, 0: word } of text.matchAll(NAME)) {
    const isFirst = STARTS_SENTENCE.test(text.slice(Math.max(0, index - 8), index));
    const looksLikeName = !isFirst || FOLLOWS_NAME.test(text.slice(index + word.length, index + word.length + 24));
    if (looksLikeName && !NO_NAMES.has(word.toLowerCase())) names.push(word.toLowerCase());
  }
  return names;
}

// Words that often start a sentence. Any other capitalised word of the user's may be a name.
const NO_PEOPLE: ReadonlySet<string> = new Set(
  [
    'this that there here what who which how when where why they all one these those inbox mail email mails emails',
    'please could can would will should may might must let lets the for from with and but also then after before while',
    'you your our his her their its she him send reply answer pay buy book order delete remove create make add open read find',
    'look check get help show tell put set save write summarise summarize sum update change move copy download visit transfer',
    'forward share invite schedule reserve cancel run install fix build test deploy use have has had was were are did does',
    'thanks thank hello dear today tomorrow yesterday next last first second new also just now finally specific',
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august',
    'september october november december',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The people that a text may name, in lower case, for the preset `next`: every capitalised word that is not common at the start
 * of a sentence.
 */
export function peopleIn(text: string): string[] {
  return Array.from(text.matchAll(NAME), ([word]) => word.toLowerCase()).filter((word) => !NO_PEOPLE.has(word));
}

// Words in tool names that say nothing about the action.
const GENERIC: ReadonlySet<string> = new Set(['git', 'api', 'get', 'the', 'tool', 'app', 'mcp', 'via', 'and', 'for']);
const STEM = 4;
const MIN_LENGTH = 3;

/** The first letters of each word, so that `delete` matches `deleting`, and `repo` matches `repositories`. */
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

/** Whether a text with these stems names the action of a tool: at least half of the words of the tool's name. */
export function namesAction(stems: ReadonlySet<string>, tool: string): boolean {
  const expected = stemsOfTool(tool);
  const matches = expected.filter((stem) => stems.has(stem)).length;
  return matches > 0 && matches * 2 >= expected.length;
}
