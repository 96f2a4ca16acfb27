import type { ClassifierResult, ClassifierV1, Likelihood, Span } from './classify.ts';
import { viewOf } from './fold.ts';
import { pointAt } from './point.ts';

interface Rule {
  readonly tag: string;
  readonly likelihood: Likelihood;
  /** Finds where to look. */
  readonly anchor: RegExp;
  /** What must all stand between the anchor and the end of its sentence, within `REACH`. */
  readonly near?: readonly RegExp[];
  /** The sentence says it all. Otherwise a match with no word behind it announces the next sentence, the payload. */
  readonly complete?: boolean;
}

/** A stretch of one text, in its own indices: `to` is exclusive. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

// In units of the folded text. No pattern below has an open gap in it: of 16 published libraries 8 took more than linear
// time on a repeated word, because each start looked through the rest of the text.
const REACH = 120;
const LONGEST = 400;
const LOOK_BACK = 200;

/** A space stands for up to three blanks: text is wrapped, and an attack can be spaced out. */
function spaced(alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|').replaceAll(' ', '\\s{1,3}')})`;
}

function anyOf(...alternatives: readonly string[]): RegExp {
  return new RegExp(spaced(alternatives), 'gm');
}

function phrase(...alternatives: readonly string[]): RegExp {
  return new RegExp(`\\b${spaced(alternatives)}\\b`, 'gm');
}

function within(...alternatives: readonly string[]): RegExp {
  return new RegExp(`\\b${spaced(alternatives)}`);
}

const SEND = phrase('send|forward|upload|transmit|e-?mail|exfiltrate|leak|submit|copy|append|post');
const ADDRESS = '(?:https?://|www\\.|[a-z0-9]@[a-z0-9])';
const SECRET =
  '(?:(?:password|passphrase|credential|secret|(?:api|private|ssh)[\\s_-]?key|seed phrase|credit card)s?' +
  '|(?<=\\.)(?:env|ssh)|(?:verification|security) codes?|system prompt|(?:conversation|chat) history)\\b';
const DATA = '(?:files?|e-?mails?|messages?|documents?|contacts?|data|records?|invoices?|queries|secrets?|keys)\\b';
const NOTICE = '[\\s_-](?:message|prompt|note|notice|override|instructions?|request|directive)';
const MODEL = '(?:assistant|llm|language model|chatbot|ai(?: (?:assistant|agent|model))?)';

/** All on the folded text, which is in lower case. The order means nothing. */
const RULES: readonly Rule[] = [
  {
    tag: 'role-override',
    likelihood: 'high',
    anchor: phrase(
      // Mail is full of what one should not forget.
      'ignor(?:e|ing)|disregard|(?<!not |n.?t |never )forget|override|bypass|discard',
      '(?:do not|don.?t|stop) (?:follow|obey)(?:ing)?',
    ),
    near: [
      within('(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|original|initial|your|all)\\b'),
      within(
        '(?:instruction|prompt|directive|guideline)s?\\b|programming\\b',
        'all (?:previous|prior|preceding|earlier|other) (?:order|task|request|command|rule)s\\b',
      ),
    ],
  },
  {
    tag: 'role-override',
    likelihood: 'high',
    anchor: anyOf(
      '\\byou are now (?:dan|acting|operating|playing|unrestricted|no longer (?:an?|bound|restricted))\\b',
      `\\byou are now an? (?:[a-z]{1,20} )?(?:[a-z]{1,20} )?(?:${MODEL}|agent|bot|hacker|pirate)\\b`,
      '\\bnew (?:important )?(?:instruction|directive|system prompt)s?\\s?[:*]',
    ),
  },
  {
    tag: 'role-override',
    likelihood: 'medium',
    anchor: phrase(
      'from now on,? you|you are now (?:an?|the|my|in|going to)',
      '(?:new|updated|priority|urgent) (?:task|instruction|directive)s?(?=\\s?[:*])',
      '(?:developer|dan|jailbreak|unrestricted|god) mode',
      'pretend (?:to be|you are)|(?:want you to|you will) (?:act|roleplay|simulate)',
      'forget everything|ignore (?:everything |the )?above|ignore the rest of',
    ),
  },
  {
    tag: 'system-prompt-shaped',
    likelihood: 'high',
    anchor: anyOf(
      '(?:<|&lt;)system(?:[_-](?:prompt|message|instructions?|reminder))?(?:>|&gt;)',
      '<\\|(?:im_start|im_end|system|start_header_id|endoftext|eot_id)\\|>|<<sys>>|\\[/?(?:inst|system)\\]',
      // But not a link in Markdown.
      `[[(](?:system|developer|admin)${NOTICE}[\\]):](?!\\()`,
    ),
  },
  {
    tag: 'system-prompt-shaped',
    likelihood: 'medium',
    anchor: anyOf(`^[\\x20#*>]{0,4}(?:(?:system|developer|admin)${NOTICE}|system|assistant)[\\x20*]{0,3}:`),
  },
  {
    tag: 'tool-invocation-shaped',
    likelihood: 'high',
    anchor: anyOf('(?:<|&lt;)(?:antml:)?(?:invoke|function_calls?|tool_calls?|tool_use)\\b'),
  },
  {
    tag: 'tool-invocation-shaped',
    likelihood: 'medium',
    anchor: anyOf('"(?:tool|tool_name|function|function_name|name)"\\s?:\\s?["{]'),
    near: [/"(?:arguments|tool_input)"\s?:/],
  },
  {
    tag: 'exfiltration',
    likelihood: 'high',
    anchor: SEND,
    // In this order: `email help@example.com about your password` stands under every login form.
    near: [new RegExp(ADDRESS), within(`${SECRET}[^\\n]{0,60}${ADDRESS}`)],
    complete: true,
  },
  {
    tag: 'exfiltration',
    likelihood: 'medium',
    anchor: SEND,
    near: [new RegExp(ADDRESS), within(`(?:all|every|entire|contents?)\\b[^\\n]{0,30}\\b${DATA}`)],
    complete: true,
  },
  {
    tag: 'exfiltration',
    likelihood: 'medium',
    // Not any image with a query: half of all badges have one.
    anchor: anyOf(
      '!\\[[^\\]\\n]{0,80}\\]\\(https?://[^)\\s?]{1,200}\\?' +
        '(?:(?:data|secret|q|d|prompt|content|text|info|payload|history)=|[a-z_]{1,20}=[{[<$%])',
    ),
    complete: true,
  },
  {
    tag: 'exfiltration',
    likelihood: 'medium',
    anchor: phrase('reveal|print|repeat|output|show|dump|display|disclose|paste'),
    near: [within('(?:system prompt|(?:your|initial|hidden) (?:instructions|prompt|rules))\\b')],
    complete: true,
  },
  {
    tag: 'concealment',
    likelihood: 'high',
    anchor: phrase(
      '(?:do not|don.?t|never|must not) (?:tell|mention|inform|notify|alert)',
      'without (?:telling|informing|notifying|alerting)',
    ),
    near: [within('(?:user|human|customer|owner|operator|anyone|anybody)s?\\b')],
    complete: true,
  },
  {
    tag: 'imperative',
    likelihood: 'high',
    anchor: phrase(
      'important (?:message|instructions?) from (?:me,? the user|me|(?:the |your )?user)',
      `important (?:message|instructions?|notice) (?:to|for) (?:the |any |all )?${MODEL}`,
      `if you are an? ${MODEL}`,
    ),
  },
  {
    tag: 'imperative',
    likelihood: 'medium',
    anchor: anyOf(
      '(?<=^[\\x20#*>-]{0,4}|[.!?]\\s|["([])ai(?: (?:assistant|agent|model))?[,:!]',
      `\\b(?:hey|hi|hello|dear|attention),? ${MODEL}[,:!]`,
      `\\b${MODEL} (?:must|shall|has to)\\b`,
      `\\b(?:note|message|instructions?|attention) (?:to|for) (?:the |any |all )?${MODEL}s?[:,)\\]]`,
    ),
  },
  {
    tag: 'imperative',
    likelihood: 'medium',
    anchor: phrase('(?:in|into|within|to|with|of) your (?:response|reply|answer)'),
    complete: true,
  },
];

const SENTENCE_END = /[.!?]["')\]]?(?=\s)/;
const BOUNDARY = /\n|\\[nr]|[.!?]["')\]]?(?=\s)/g;
// Going back, the quote that opens a JSON string ends the search too.
const OPENING = /\n|\\[nr]|[.!?]["')\]]?\s|[:,[{] ?"/g;
const WORD = /[\p{L}\p{N}]/u;

function sentenceStart(text: string, { from, to }: Stretch): number {
  // Counted from the end of the match: a long one must leave room for what follows it.
  const first = Math.max(0, Math.min(from, to - LOOK_BACK));
  const last = [...text.slice(first, from).matchAll(OPENING)].at(-1);
  return last === undefined ? first : first + last.index + last[0].length;
}

function sentenceAround(text: string, match: Stretch, complete: boolean): Stretch {
  const { to } = match;
  const start = sentenceStart(text, match);
  const rest = text.slice(to, start + LONGEST);
  BOUNDARY.lastIndex = complete ? 0 : Math.max(0, rest.search(WORD));
  const boundary = BOUNDARY.exec(rest);
  if (boundary === null) return { from: start, to: to + rest.length };
  return { from: start, to: to + boundary.index + (boundary[0] === '\n' ? 0 : boundary[0].length) };
}

/** Where the last of what a rule needs ends, or undefined when something is missing. */
function matchEnd(text: string, at: number, near: readonly RegExp[]): number | undefined {
  const window = text.slice(at, at + REACH);
  const boundary = window.search(SENTENCE_END);
  const rest = boundary < 0 ? window : window.slice(0, boundary);
  let end = 0;
  for (const pattern of near) {
    const match = pattern.exec(rest);
    if (match === null) return undefined;
    end = Math.max(end, match.index + match[0].length);
  }
  return at + end;
}

function stretchesOf(text: string, { anchor, near = [], complete = false }: Rule): Stretch[] {
  const found: Stretch[] = [];
  // A throw in an earlier text would have left it somewhere, and what lies before it would pass.
  anchor.lastIndex = 0;
  for (let match = anchor.exec(text); match !== null; match = anchor.exec(text)) {
    const to = matchEnd(text, anchor.lastIndex, near);
    if (to === undefined) continue;
    const stretch = sentenceAround(text, { from: match.index, to }, complete);
    found.push(stretch);
    anchor.lastIndex = Math.max(anchor.lastIndex, stretch.to);
  }
  return found;
}

function spansByRule(text: string): Span[] {
  const view = viewOf(text);
  return RULES.flatMap((rule) =>
    stretchesOf(view.text, rule).map(({ from, to }) => {
      const last = view.starts[to - 1] as number;
      const width = pointAt(text, last) > 0xffff ? 2 : 1;
      const { tag, likelihood } = rule;
      return { start: view.starts[from] as number, end: last + width, likelihood, tag };
    }),
  );
}

// Hidden writing leaves nothing in the folded text. Scotland's flag has six tag characters; eight say something.
const TAG_RUN = /[\u{e0000}-\u{e007f}]{8,}/gu;
// Latin words only: Persian, Hindi and Khmer are written with these characters.
const LATIN_WORD = /\p{Script=Latin}[\p{Script=Latin}\u180e\u200b-\u200d\u2060-\u2064\ufeff]*\p{Script=Latin}/gu;
const ZERO_WIDTH = /[\u180e\u200b-\u200d\u2060-\u2064\ufeff]/g;
const FEWEST = 3;

function spansByCharacter(text: string): Span[] {
  const found = [...text.matchAll(TAG_RUN)].map((run) => ({ from: run.index, to: run.index + run[0].length }));
  let end = 0;
  for (const word of text.matchAll(LATIN_WORD)) {
    if (word.index < end || (word[0].match(ZERO_WIDTH)?.length ?? 0) < FEWEST) continue;
    const stretch = sentenceAround(text, { from: word.index, to: word.index + word[0].length }, true);
    found.push(stretch);
    end = stretch.to;
  }
  return found.map(({ from, to }) => ({ start: from, end: to, likelihood: 'high', tag: 'obfuscated' }));
}

/**
 * A rule classifier that stands in until there is a trained one. It knows English wording, forged markup and hidden
 * characters; an instruction in plain words, in another language or in an encoding passes. Its `checked` with no span
 * says little. A span is the sentence round a match, or the two of them when the first only announces, in at most 400
 * folded characters; a run of hidden characters is one span.
 */
export const ruleClassifier: ClassifierV1 = Object.freeze({
  specificationVersion: 'v1',
  id: 'sallyport-rules-1',
  doClassify({ text }): ClassifierResult {
    return { spans: [...spansByCharacter(text), ...spansByRule(text)] };
  },
} satisfies ClassifierV1);
