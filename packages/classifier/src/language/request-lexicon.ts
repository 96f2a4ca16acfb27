import { LANGUAGES } from './request-words/languages.ts';
import type { RequestWords } from './request-words/request-words.ts';

/** The words and phrases of requests: the English ones, and those of the other languages from the word lists. */

type Pick = (language: RequestWords) => readonly string[] | undefined;

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

function foreign(pick: Pick): string[] {
  return LANGUAGES.flatMap((language) => pick(language) ?? []);
}

/** Words that may precede the verb of an order. */
export const LEADS: ReadonlySet<string> = words(
  'please kindly then and now also first next just directly immediately urgently so or but simply quickly always instead',
  'finally afterwards before step hi hello hey dear ok okay note important action required todo task',
  ...foreign(({ leads }) => leads),
);

/** Names of a made-up turn's speaker or addressee: `System: send ...`. */
export const ROLES: ReadonlySet<string> = words('system user human assistant agent ai tool developer');

/** Verbs that are nearly always an order at the beginning of a sentence. */
export const IMPERATIVES: ReadonlySet<string> = words(
  'send forward buy pay delete remove click go navigate install run execute change add create write make give invite upload',
  'download subscribe unsubscribe cancel replace reset enable disable submit enter fill confirm verify use apply ensure tell',
  'ask reply respond merge push clone move rename append insert attach include sell donate grant revoke approve reject',
  'accept decline register provide disclose reveal publish modify edit erase wipe destroy follow browse visit proceed transmit',
  'reserve reschedule assign notify inform withdraw redeem claim join complete perform fetch collect',
  'activate deactivate unlock switch save bring ignore disregard forget schedule upgrade deploy recommend combine',
  ...foreign(({ imperatives }) => imperatives),
);

/** Verbs that are nouns as well. */
export const AMBIGUOUS: ReadonlySet<string> = words(
  'email mail message text post call book contact check review update transfer purchase refund deposit start set share open',
  'close star fork commit copy order wire sign comment tag like dm fax tip trade exchange display show read search look view answer',
);

/** Words that can follow a verb as its object, or begin one. */
const ARTICLES =
  'the a an my your his her their our its this that these those all any every each some it them me him us one two another everything anything';
export const OBJECTS: ReadonlySet<string> = words(ARTICLES, 'to up out into on in at back over off down about');

/** Verbs that are nouns or words of program text as well. A noun takes a number or a preposition: `Report on 2024`. */
export const NOUNS: ReadonlySet<string> = words(
  'access report rate record list print store log import export label block return input output upgrade document',
);
export const PLAIN_OBJECTS: ReadonlySet<string> = words(ARTICLES);

/** The same for the other languages, kept apart because many of their objects begin English names of things. */
export const FOREIGN_AMBIGUOUS: ReadonlySet<string> = words(...foreign(({ ambiguous }) => ambiguous));
export const FOREIGN_NOUNS: ReadonlySet<string> = words(...foreign(({ nouns }) => nouns));
export const FOREIGN_OBJECTS: ReadonlySet<string> = words(...foreign(({ objects }) => objects));

/** Verbs whose form is the same in an order and in a heading. */
export const INFINITIVES: ReadonlySet<string> = words(...foreign(({ infinitives }) => infinitives));

/** Words that end an order, infinitives that may, and words that make the sentence a statement after all. */
export const FINAL_VERBS: ReadonlySet<string> = words(...foreign(({ finalVerbs }) => finalVerbs));
export const FINAL_INFINITIVES: ReadonlySet<string> = words(
  ...foreign(({ infinitives, auxiliaries }) => (auxiliaries === undefined ? undefined : infinitives)),
);
export const AUXILIARIES: RegExp = new RegExp(
  `(?<!\\p{L})(?:${foreign(({ auxiliaries }) => auxiliaries)
    .join(' ')
    .replaceAll(' ', '|')})(?!\\p{L})`,
  'u',
);

// Verbs that request no action of a tool after "please".
const NOTHING =
  "\\b(?! (?:find|note|see|let|contact|feel|be|refer|allow|accept|read|do not|don't|review(?! and)|enjoy|hold|wait|try|check back))";
const MUST =
  "(?:must|should|shall|need to|have to|has to|are to|is to|ought to|are required|are asked|are requested|are expected|'ll need to|will need to)(?! (?:see|know|have|now)\\b)";
const THAT = '(?:required|necessary|mandatory|essential|imperative|important|crucial) (?:that|to)';

const ENGLISH: readonly string[] = [
  ...['please', 'kindly', 'pls', 'plz'].map((word) => `${word}(?<![-./_]${word})${NOTHING}`),
  `you(?<!\\bif you) ${MUST}`,
  ...['we', 'agents?', 'assistants?', 'ai'].map((who) => `${who} ${MUST}`),
  ...['could', 'would', 'will', 'can'].map((modal) => `${modal} you(?! (?:imagine|believe|guess|like|prefer))`),
  ...['make sure', 'be sure', 'remember', "do(?: not|n't) forget", 'take care'].map(
    (what) => `${what} (?:to|that|you)`,
  ),
  "i (?:(?:really|also|just|now|do|will|would|must|hereby|urgently|only|still|then|therefore) ){0,2}(?:need|want|would like|'d like|require|expect|ask|request|demand)",
  `is ${THAT}`,
  ...['required', 'next', 'mandatory', 'pending', 'necessary'].map(
    (kind) => `${kind} (?:step|action|task)s?(?!\\P{L}{0,3}$)`,
  ),
];

/** The expressions of the languages of one script, or of all. */
function gather(script: RequestWords['script'] | undefined, pick: Pick): string[] {
  const languages = LANGUAGES.filter((language) => script === undefined || language.script === script);
  return languages.flatMap((language) => {
    const expression = pick(language)?.join('');
    const politeForms = language.politeForms?.join(' ').replaceAll(' ', '|') ?? '';
    return expression?.replace('POLITE', politeForms) ?? [];
  });
}

/** One list of infinitives for all languages of a script: V8 does not optimize an expression with a list per phrase. */
function obligationsIn(script: RequestWords['script']): string[] {
  const obligations = gather(script, (language) => language.obligations);
  const infinitives = LANGUAGES.flatMap((language) =>
    language.script === script && language.obligations !== undefined ? (language.infinitives ?? []) : [],
  );
  return obligations.length === 0
    ? []
    : [`(?:${obligations.join('|')}) (?:\\p{L}{1,14} ){0,2}(?:${[...words(...infinitives)].join('|')})`];
}

function phrasesIn(script: RequestWords['script']): string[] {
  return [...gather(script, ({ phrases }) => phrases), ...obligationsIn(script)];
}

// Every alternative begins with a letter: a condition there would be tried at every place of the text. A boundary of
// ASCII words is found several times faster than one of letters, and Latin signs begin with an ASCII letter. V8 does
// not optimize expressions longer than 20 kB, and takes ten times as long to compile the letters of all scripts as
// those of one.
const ENDS = '(?![\\p{L}\\p{M}])';
const LATIN = new RegExp(
  `\\b(?:${[...ENGLISH, ...phrasesIn('latin')].join('|')})(?!\\p{L})`.replaceAll('\\p{L}', '[a-z\u00c0-\u1eff]'),
  'u',
);
const ACCENTED = new RegExp(gather('latin', ({ fragments }) => fragments).join('|'), 'u');

function signsOf(script: RequestWords['script']): RegExp {
  const inside = phrasesIn(script);
  const whole = inside.length === 0 ? [] : [`(?<![\\p{L}\\p{M}])(?:${inside.join('|')})${ENDS}`];
  return new RegExp([...whole, ...gather(script, ({ fragments }) => fragments)].join('|'), 'u');
}

/** Expressions of one script that make any sentence with them a request. */
export interface Markers {
  /**
   * The ranges of the script's letters, first and last, in steps of 64 units. The sentence must contain one of them.
   */
  readonly ranges: readonly (readonly [number, number])[];
  /** Set when the script puts blanks between words, so that a sentence has a first and a last word. */
  readonly hasBlanks: boolean;
  readonly signs: RegExp;
}

export const MARKERS: readonly Markers[] = [
  {
    ranges: [
      [0x40, 0x24f],
      [0x1e00, 0x1eff],
    ],
    hasBlanks: true,
    signs: LATIN,
  },
  {
    ranges: [
      [0xc0, 0x24f],
      [0x1e00, 0x1eff],
    ],
    hasBlanks: true,
    signs: ACCENTED,
  },
  { ranges: [[0x400, 0x53f]], hasBlanks: true, signs: signsOf('cyrillic') },
  { ranges: [[0x600, 0x6ff]], hasBlanks: true, signs: signsOf('arabic') },
  { ranges: [[0x900, 0x9ff]], hasBlanks: true, signs: signsOf('indic') },
  { ranges: [[0xe00, 0xe7f]], hasBlanks: false, signs: signsOf('thai') },
  { ranges: [[0x4e00, 0x9fff]], hasBlanks: false, signs: signsOf('han') },
  { ranges: [[0x3040, 0x30ff]], hasBlanks: false, signs: signsOf('kana') },
  { ranges: [[0xac00, 0xd7bf]], hasBlanks: false, signs: signsOf('hangul') },
];

/** Expressions that make a sentence a request if it begins with them. */
export const STARTS: RegExp = new RegExp(
  `^[^\\p{L}]{0,3}(?:${gather(undefined, ({ starts }) => starts).join('|')})${ENDS}`,
  'u',
);

/** The beginnings of an order in a script without blanks. The sentence must contain a value as well. */
export const OPENINGS: RegExp = new RegExp(`^(?:${gather(undefined, ({ openings }) => openings).join('|')})`, 'u');

/** Reports, as opposed to requests: an order in the other sense of the word, a button that was pressed. */
export const REPORTED: RegExp =
  /(?<!\p{L})(?<!\b(?:that|which|who|what|it|as|if|they|que|qui|che|die|das|der) )(?:successfully|(?:has|have) been|was|were|wurden?|worden|erfolgreich|best\u00e4tigt|versandt|storniert|(?:ha|han) sido|fue|fueron|(?:confirm|complet|realiz|cancel|envi|recib)ad[oa]s?|(?:a|ont) \u00e9t\u00e9|(?:confirm|exp\u00e9di|annul|valid)\u00e9e?s?|fo(?:i|ram)|(?:\u00e8|sono) stat[oiae]|(?:conferm|complet|annull|spedi)[ai]t[oaie]|verzonden|bevestigd|geannuleerd|bekr\u00e4ftad|skickad|zosta\u0142[aoy]?|potwierdzon[aoy]|berhasil|telah|th\u00e0nh c\u00f4ng)(?!\p{L})|\u0443\u0441\u043f\u0435\u0448\u043d\u043e|\u0443\u0441\u043f\u0456\u0448\u043d\u043e|\u6210\u529f|\u5b8c\u6210|\u5df2|\u4e86(?=\u3002|$)|\u5931\u8d25|\u5931\u6557|\u0e2a\u0e33\u0e40\u0e23\u0e47\u0e08|\u0e41\u0e25\u0e49\u0e27|\u0e40\u0e23\u0e35\u0e22\u0e1a\u0e23\u0e49\u0e2d\u0e22|\u0628\u0646\u062c\u0627\u062d|\u062a\u0645 /u;

/** Reports that begin with a verb which is otherwise clearly an order: `Change 17 was merged`. */
export const REPORTED_SOON: RegExp =
  /^(?:change|run|push|move|visit|use|claim|switch|save|install|reset|upgrade|download|upload|clone|merge|make|buy|join|follow) (?:\S{1,40} ){0,8}(?<!\b(?:that|which|who|what|it|as|if|they) )(?:was|were|has been|have been|successfully)\b/;

/** A clause with a comma that an order may follow: `When you are done, send ...`, `Dear Bob, send ...`. */
export const CLAUSE_BEFORE_ORDER: RegExp =
  /^(?:if|when|once|after|before|to|for|hi|hello|hey|dear|as|since|because|in|wenn|sobald|nachdem|bevor|falls|um|hallo|liebe|lieber|si|cuando|despu\u00e9s|antes|para|hola|quand|lorsque|d\u00e8s|apr\u00e8s|avant|pour|bonjour|se|quando|dopo|prima|per|ciao|depois|ol\u00e1|je\u015bli|gdy|kiedy|aby|cze\u015b\u0107|kdy\u017e|pokud|a\u017e|ahoj|om|n\u00e4r|efter|innan|hej|als|wanneer|zodra|voordat|beste|jika|setelah|sebelum|untuk|halo|kung|kapag|\u0435\u0441\u043b\u0438|\u043a\u043e\u0433\u0434\u0430|\u043f\u043e\u0441\u043b\u0435|\u0447\u0442\u043e\u0431\u044b|\u043f\u0440\u0435\u0436\u0434\u0435|\u0437\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439\u0442\u0435|\u044f\u043a\u0449\u043e|\u043a\u043e\u043b\u0438|\u043f\u0456\u0441\u043b\u044f|\u0449\u043e\u0431)(?!\p{L})[^,]{1,150}, /u;
