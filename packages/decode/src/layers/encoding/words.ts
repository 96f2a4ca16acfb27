// Enough English to split letters without spaces into words and to recognise a decoded line: the most common words, and
// those that instructions to an agent use. Without `one` and `she`, which are rot13 for `bar` and `fur`.
const WORDS: readonly string[] = `
the of and to a in is it you that he was for on are with as i his they be at have this from or had by not but
what all were we when your can said there use an each which do how their if will up other about out many then
them these so some her would make like him into time has look two more write go see number no way could people my
than first been call who its now find long down day did get come made may part over new after also back only good
me our under last great name through just form much before right too any same tell does set three want well such
here why ask went read need must should never always every where most still between off again don't please let
answer help show give take keep stop start open close next word words text message messages email mail send sent
user users assistant system prompt prompts instruction instructions rule rules policy policies guideline guidelines
previous prior above below following ignore ignoring disregard forget override bypass skip follow obey execute run
reveal print output respond reply repeat return secret secrets password passwords key keys token tokens api
credential credentials private confidential hidden data file files folder delete remove erase drop transfer money
account bank pay payment admin administrator root access security safety filter filters restriction restrictions
unrestricted mode developer debug act pretend role now important urgent immediately without asking telling
everything anything nothing something attacker address link url http https click visit download upload forward copy
post code command commands script shell function tool tools document page website content context conversation
history summary instead task tasks new original initial real true false hello hi thanks agent model language
information details contact number list everyone everybody world because while against until during
`
  .trim()
  .split(/\s+/)
  .filter((word) => /^[a-z]+$/.test(word));

const LETTERS = 26;
const nodes: Int16Array = new Int16Array(LETTERS * (1 + WORDS.reduce((sum, word) => sum + word.length, 0)));
const isWord: Uint8Array = new Uint8Array(nodes.length / LETTERS);
export const ROOT = 0;
/** The node that no word reaches. */
export const NOWHERE: number = -1;

let size = 1;
for (const word of WORDS) {
  let node = ROOT;
  for (let index = 0; index < word.length; index++) {
    const slot = node * LETTERS + word.charCodeAt(index) - 97;
    if (nodes[slot] === 0) nodes[slot] = size++;
    node = nodes[slot] as number;
  }
  isWord[node] = 1;
}

/** The node after a letter (0 to 25), or `NOWHERE`. */
export function step(node: number, letter: number): number {
  return node < 0 || letter < 0 || letter >= LETTERS ? NOWHERE : nodes[node * LETTERS + letter] || NOWHERE;
}

export function endsWord(node: number): boolean {
  return node > 0 && isWord[node] === 1;
}

/** 0 to 25 for an ASCII letter of either case; another number for other units. */
export function letterIndex(unit: number): number {
  return unit < 65 || unit > 122 ? NOWHERE : (unit | 32) - 97;
}

export function isCommonWord(word: string): boolean {
  let node: number = ROOT;
  for (let index = 0; index < word.length && node >= 0; index++) node = step(node, letterIndex(word.charCodeAt(index)));
  return endsWord(node);
}
