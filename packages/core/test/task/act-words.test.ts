import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Act } from '../../src/task/acts.ts';
import { WordMatcher } from '../../src/task/word-matcher.ts';
import { ACTS, type ActWords } from '../../src/task/words/act-words.ts';
import { LANGUAGES } from '../../src/task/words/languages.ts';
import { makeActWords, parseActWords } from '../../words/act-words.ts';

/** Frequent words, none of which asks for an act unless the list of its own language says so. */
const COMMON: Readonly<Record<string, string>> = {
  en:
    'the be to of and a in that have it for not on with he as you at this but his by from they we say her ' +
    'she or an will my one all would there their what so up out if about who which when me can time no ' +
    'just him know take people into year your good some could them than then now over such very after ' +
    'also back use two how our work first well way even new want because any these day most us is are was ' +
    'were been has had did does said more many where much before right too mean old same under last never ' +
    'place case week company system program question during government number night point home water room ' +
    'mother area money story fact month lot study book eye job word business side kind head house service ' +
    'friend father power hour game line end among ever stand bad lose however member meet car city almost ' +
    'include continue later community name president team minute idea body information nothing ago lead ' +
    'social understand whether watch together parent face public already person party result morning ' +
    'reason research girl guy moment air teacher force education regular order ordinary table paper group ' +
    'problem against foot history mind inside although process human local sense million century language ' +
    'interest percent love level office door health art war center patient video music cause activity ' +
    'view product list page link version library package module function method value key string array ' +
    'object class type error response request server client project branch review summary customer ' +
    'support manager department quarter budget contract draft attachment inbox subject sender recipient ' +
    'address phone street country French German Spanish resume reunion agenda terminal terminate tragedy ' +
    'planet plane poster roller full stern sage command commander mandatory guard registry comprehensive ' +
    'creature cream miracle donor active verse adverse complete digits procurement constructor compiler ' +
    'visitor annotation scalar override overlap map openai mailbox regards connection definition ' +
    'notification invitation cancellation donation execution removal deletion construction permits ' +
    'alternatives verification controller overlay comma column format gold golden gift given folder fold ' +
    'mile milk sale salt salad sold sun sand pas past para',
  de:
    'der die das und ist nicht ein eine ich du er sie es wir ihr mit auf f\u00fcr von zu im in den dem ' +
    'des als auch aber oder wenn dann noch nur schon sehr mehr hier dort jetzt heute morgen gestern immer ' +
    'andere anderen anders ander haben hat war werden wird kann muss soll will mein dein sein ihre diese ' +
    'dieser dieses alle alles etwas nichts jeder man wer wie was wo warum \u00fcber unter nach vor bei ' +
    'aus bis durch gegen ohne um zwischen Zeit Jahr Tag Mann Frau Kind Haus Welt Leben Auge Frage Stadt ' +
    'Land Wasser B\u00fccher gut gro\u00df klein neu alt',
  fr:
    'le la les un une des et est en que qui dans pour pas sur plus par avec ce il elle au aux du de se ' +
    'sont nous vous ils mais ou o\u00f9 son sa ses leur mon ma mes ton ta tes tout tous toute bien ' +
    'tr\u00e8s aussi comme m\u00eame encore ici l\u00e0 alors apr\u00e8s avant depuis entre sans sous ' +
    'chez \u00eatre avoir fait peu beaucoup jour temps an ann\u00e9e homme femme enfant monde vie main ' +
    'chose ville eau maison grand petit bon nouveau vieux autre premier dernier jeune quand pourquoi oui ' +
    'non si',
  es:
    'el la los las un una y es en que de del al por para con se lo su sus como m\u00e1s pero o si no ya ' +
    'muy tambi\u00e9n todo todos toda este esta esto ese esa eso aquel mi tu me te le les nos hay ser ' +
    'estar fue son era cuando donde quien porque entre sin sobre hasta desde despu\u00e9s antes ahora ' +
    'aqu\u00ed all\u00ed siempre nunca d\u00eda tiempo a\u00f1o hombre mujer ni\u00f1o mundo vida mano ' +
    'cosa ciudad pa\u00eds agua casa grande peque\u00f1o bueno nuevo viejo otro primero \u00faltimo joven ' +
    'gracias hola',
  pt:
    'o a os as um uma e \u00e9 em que de do da dos das no na nos nas por para com se como mais mas ou ' +
    'j\u00e1 muito tamb\u00e9m todo todos esta este isso ele ela eles eu tu voc\u00ea meu minha seu sua ' +
    's\u00e3o ser estar foi era quando onde quem porque entre sem sobre at\u00e9 desde depois antes agora ' +
    'aqui ali sempre dia tempo ano homem mulher mundo vida coisa cidade \u00e1gua casa grande pequeno bom ' +
    'novo velho outro primeiro \u00faltimo obrigado ol\u00e1',
  it:
    'il lo la i gli le un una e \u00e8 in che di del della dei al alla per con si no non come pi\u00f9 ma ' +
    'o se gi\u00e0 molto anche tutto tutti questo questa quello lui lei noi voi loro mio tuo suo sono ' +
    'essere stato era quando dove chi perch\u00e9 tra senza sopra fino dopo prima adesso qui sempre ' +
    'giorno tempo anno uomo donna mondo vita mano cosa citt\u00e0 acqua casa grande piccolo buono nuovo ' +
    'vecchio altro primo ultimo grazie ciao',
  nl:
    'de het een en is in van te dat die op voor met niet zijn aan er ook als maar om bij dan nog naar uit ' +
    'door over wat wie waar hoe hij zij wij jullie mijn jouw deze dit alle alles iets niets heel veel ' +
    'meer hier daar nu vandaag morgen gisteren altijd tijd jaar dag man vrouw kind huis wereld leven stad ' +
    'land water goed groot klein nieuw oud ander eerste laatste',
  sv:
    'och i att det som en p\u00e5 \u00e4r av f\u00f6r med till den har de inte om ett han hon men var jag ' +
    'sig s\u00e5 vi n\u00e4r \u00e5r kan nu d\u00e4r eller fr\u00e5n under vid tv\u00e5 efter upp bara ' +
    'mer m\u00e5nga mycket h\u00e4r alla allt n\u00e5got idag ig\u00e5r alltid tid dag man kvinna barn ' +
    'hus liv stad land vatten god stor liten ny gammal annan f\u00f6rsta sista tack hej',
  id:
    'yang dan di itu ini dengan untuk tidak dari dalam akan pada juga saya ke karena ada mereka lebih ' +
    'kamu kami kita dia sudah atau saat oleh bagi seperti sangat banyak semua hari waktu tahun orang ' +
    'rumah dunia hidup kota air baik besar kecil baru lama',
  pl:
    'i w na z si\u0119 nie do to jest \u017ce o jak ale za co tak po czy od ju\u017c dla tylko przez jego ' +
    'jej ich ten ta te by\u0142 by\u0142a s\u0105 by\u0107 mo\u017ce bardzo te\u017c gdy gdzie kto ' +
    'dzie\u0144 czas rok dom \u015bwiat \u017cycie miasto woda dobry du\u017cy ma\u0142y nowy stary ' +
    'dzi\u0119kuj\u0119',
  tr:
    've bir bu da de i\u00e7in ile \u00e7ok ne o var mi ama gibi daha kadar sonra ben sen biz siz onlar ' +
    'her \u015fey g\u00fcn zaman y\u0131l ev d\u00fcnya hayat \u015fehir su iyi b\u00fcy\u00fck ' +
    'k\u00fc\u00e7\u00fck yeni eski evet hay\u0131r',
  vi:
    'v\u00e0 l\u00e0 c\u1ee7a c\u00f3 kh\u00f4ng \u0111\u01b0\u1ee3c trong cho m\u1ed9t nh\u1eefng ' +
    'c\u00e1c v\u1edbi ng\u01b0\u1eddi n\u00e0y \u0111\u00f3 khi \u0111\u1ec3 \u0111\u00e3 s\u1ebd ' +
    'ng\u00e0y n\u0103m nh\u00e0 n\u01b0\u1edbc r\u1ea5t c\u0169ng t\u00f4i b\u1ea1n anh ch\u1ecb em',
};

function matcherOf(words: ActWords): WordMatcher<Act> {
  const matcher = new WordMatcher<Act>();
  for (const act of ACTS) matcher.add(words.matching, words[act], act);
  return matcher;
}

const MATCHERS: ReadonlyMap<string, WordMatcher<Act>> = new Map(
  LANGUAGES.map((each) => [each.language, matcherOf(each)]),
);

function collisionsOf(words: readonly string[], language: string): string[] {
  const own = MATCHERS.get(language) ?? new WordMatcher<Act>();
  const others = [...MATCHERS].filter(([other]) => other !== language);
  return words.flatMap((word) => {
    const meant = own.valuesIn(word);
    return others.flatMap(([other, matcher]) =>
      [...matcher.valuesIn(word)].filter((act) => !meant.has(act)).map((act) => `${word}: ${other} ${act}`),
    );
  });
}

describe('the lists of other languages', () => {
  it.each(Object.keys(COMMON))('do not match common words: %s', (language) => {
    expect(collisionsOf((COMMON[language] ?? '').split(' '), language)).toEqual([]);
  });

  it('do not match the English lists with another meaning', () => {
    const english = LANGUAGES.find(({ language }) => language === 'en') as ActWords;
    const words = ACTS.flatMap((act) => english[act].flatMap((each) => each.split(',')));
    expect(collisionsOf(words, 'en')).toEqual([]);
  });
});

describe('the generated tables', () => {
  it.each(makeActWords())('%s matches its word lists', (path, text) => {
    expect(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')).toBe(text);
  });

  it('have one entry per word list', () => {
    const lists = readdirSync(new URL('../../words/', import.meta.url)).filter((name) => name.endsWith('.txt'));
    expect(LANGUAGES.map(({ language }) => `${language}.txt`).sort()).toEqual(lists.sort());
  });

  it.each(LANGUAGES.map(({ language }) => language))('are made from lists in lower case, composed: %s', (language) => {
    const text = readFileSync(new URL(`../../words/${language}.txt`, import.meta.url), 'utf8');
    expect(text.normalize('NFC')).toBe(text);
    const { lists } = parseActWords(text, language);
    expect(
      [...lists.values()].flat().filter((entry) => entry !== entry.toLowerCase() || /[^\S ]| {2}/.test(entry)),
    ).toEqual([]);
    expect([...lists].filter(([, entries]) => new Set(entries).size < entries.length)).toEqual([]);
  });

  it.each([
    ['send:\na', 'x.txt:1: expected "matching: <name>", received "send:".'],
    ['matching: stems\na', 'x.txt:2: expected the name of a list, received "a".'],
    ['matching: stems\nsend:\na\nsend:', 'x.txt:4: the list "send" occurs twice.'],
    ['matching: stems\nsend:\na,b', 'x.txt:3: an entry must not contain a comma: "a,b".'],
    ['matching: stems\nsend:\na', 'x.txt: these lists are missing or empty: post, schedule'],
  ])('refuse %j', (text, message) => {
    expect(() => parseActWords(text, 'x.txt')).toThrow(message);
  });
});
