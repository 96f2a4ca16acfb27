const NAME = /\p{Lu}\p{Ll}{2,}/gu;
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
 * The people that a text may name, in lower case: every capitalised word that is not common at the start of a sentence.
 */
export function peopleIn(text: string): string[] {
  return Array.from(text.matchAll(NAME), ([word]) => word.toLowerCase()).filter((word) => !NO_PEOPLE.has(word));
}

// A token with a sign or a digit inside: `acme/site`, `INV-2031`, `report.pdf`.
const OBJECT = /(?<![\p{L}\p{N}])(?=[^\s]*[\d/_-])[\p{L}\p{N}][\p{L}\p{N}/_.-]{4,80}[\p{L}\p{N}]/gu;

/** The things that a text names by an identifier, in lower case. */
export function objectsIn(text: string): string[] {
  return Array.from(text.matchAll(OBJECT), ([token]) => token.toLowerCase());
}
