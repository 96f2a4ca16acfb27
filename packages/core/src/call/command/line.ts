/** A word of a command, as the program gets it. */
export interface Word {
  readonly text: string;
  /** Whether the shell may replace the word by the names of files. */
  readonly isPattern: boolean;
}

/** A command in words: the program and what it is given. */
export type Command = readonly Word[];

type Token = 'blank' | 'operator' | 'silencer' | 'plain' | 'pattern' | 'single' | 'double' | 'document';

/** What follows a word that nothing is joined to. */
const END = '(?=[ \\t;|&]|$)';

/**
 * All that is understood of a line, for every shell in the same way. What begins with nothing of this is not understood: other
 * redirections, backslashes, line ends, brackets, variables, comments.
 */
const TOKENS: readonly (readonly [Token, RegExp])[] = [
  ['blank', /[ \t]+/y],
  ['operator', /&&|\|\||[;|]|(?<=[ \t])&(?=[ \t]|$)/y],
  // What only joins or hides the output. A digit that ends a word is not one of these.
  ['silencer', new RegExp(`(?<=[ \\t;|&])(?:2>&1|[12]?> ?/dev/null)${END}`, 'y')],
  // A home folder or an earlier commit; no shell looks for one in the middle of a word after another sign.
  ['plain', /[\w@%+=:,./-]+|(?<=^|[ \t;|&\w])~/y],
  // The last exit code, and the word that negates a test.
  ['plain', new RegExp(`(?<=[ \\t;|&])(?:\\$\\?|!(?=[ \\t]))${END}`, 'y')],
  ['pattern', /[*?[\]^]+/y],
  // Typographic quotation marks end a string in PowerShell. A backslash before other characters is one itself.
  ['single', /'[^'\p{Cc}\u2018-\u201f]*'/uy],
  ['double', /"(?:\\?[^"\\$`!\p{Cc}\u2018-\u201f])*"/uy],
  // How agents write a message of several lines.
  ['document', /"\$\(cat <<'EOF'\n(?:(?!EOF\n)[^"\\$`\p{Cc}\u2018-\u201f]*\n){1,200}EOF\n[ \t]*\)"/uy],
];

const DOCUMENT = /^"\$\(cat <<'EOF'\n|\nEOF\n[ \t]*\)"$/g;

/** Whether no bracket of a text ends something that began before it: old shells look for the one that ends a document. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open++;
    if (sign === ')' && --open < 0) return false;
  }
  return open === 0;
}

const MAX_LENGTH = 2000;

interface Found {
  readonly token: Token;
  readonly text: string;
}

function tokenAt(line: string, at: number): Found | undefined {
  for (const [token, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(line) ?? [];
    if (text !== undefined) return { token, text };
  }
  return undefined;
}

/** The text that a token adds to its word, without its quotation marks. */
function contentOf({ token, text }: Found): string {
  if (token === 'document') return text.replace(DOCUMENT, '');
  return token === 'single' || token === 'double' ? text.slice(1, -1) : text;
}

/** The tokens of a line; undefined if something in it is not understood. Linear in the line. */
function tokensOf(line: string): readonly Found[] | undefined {
  const tokens: Found[] = [];
  for (let at = 0; at < line.length; ) {
    const found = tokenAt(line, at);
    if (found === undefined || (found.token === 'document' && !isBalanced(contentOf(found)))) return undefined;
    at += found.text.length;
    tokens.push(found);
  }
  return tokens;
}

/** The commands of a line; undefined if a shell could do anything with it but run them with these words. Linear in the line. */
export function readLine(line: string): readonly Command[] | undefined {
  const tokens = line.length > MAX_LENGTH ? undefined : tokensOf(line.trim());
  if (tokens === undefined) return undefined;
  const commands: Word[][] = [[]];
  let word: Word | undefined;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (const found of tokens) {
    if (found.token === 'blank' || found.token === 'silencer') endWord();
    else if (found.token === 'operator') {
      endWord();
      commands.push([]);
    } else {
      const isPattern = word?.isPattern === true || found.token === 'pattern';
      word = { text: (word?.text ?? '') + contentOf(found), isPattern };
    }
  }
  endWord();
  const hasJob = tokens.some(({ text }) => text === '&');
  // A job moves to another folder for itself alone.
  if (hasJob && commands.some(([program]) => program?.text === 'cd')) return undefined;
  if (tokens.at(-1)?.text === '&') commands.pop();
  return commands.every((command) => command.length > 0) ? commands : undefined;
}

/** What joins each command of a line to the next one. Linear in the line. */
export function operatorsIn(line: string): readonly string[] {
  return (tokensOf(line.trim()) ?? []).filter(({ token }) => token === 'operator').map(({ text }) => text);
}
