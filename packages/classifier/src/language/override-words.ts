// Made by `npx tsx packages/core/generate/tables.ts` from packages/classifier/words/override; change the lists there.

/** How a language says that earlier instructions no longer count; packages/classifier/words/README.md describes each list. */
export interface OverrideWords {
  readonly language: string;
  readonly verb: readonly string[];
  readonly earlier: readonly string[];
  readonly order: readonly string[];
  readonly orders?: readonly string[];
  readonly rule?: readonly string[];
  readonly rules?: readonly string[];
  readonly any?: readonly string[];
  readonly after?: readonly string[];
  readonly says: readonly string[];
  readonly perhaps?: readonly string[];
  readonly unlike?: readonly string[];
}

export const OVERRIDE_WORDS: readonly OverrideWords[] = [
  {
    language: 'ar',
    verb: ['\u062a\u062c\u0627\u0647\u0644(|\u064a|\u0648\u0627) \u0627\u0646\u0633(|\u0649|\u064a|\u0648\u0627)'],
    earlier: ['\u0627\u0644\u0633\u0627\u0628\u0642\u0629 \u0623\u0639\u0644\u0627\u0647'],
    order: [
      '\u0627\u0644\u062a\u0639\u0644\u064a\u0645\u0627\u062a \u0627\u0644\u0623\u0648\u0627\u0645\u0631',
      '\u062a\u0639\u0644\u064a\u0645\u0627\u062a\u0643 \u0627\u0644\u0625\u0631\u0634\u0627\u062f\u0627\u062a',
    ],
    says: ['verb 2 order 0 earlier'],
    unlike: [
      '\u0627\u0644\u0625\u0639\u062f\u0627\u062f\u0627\u062a \u0627\u0644\u0627\u0639\u062f\u0627\u062f\u0627\u062a',
      '\u0627\u0644\u062a\u0639\u0644\u064a\u0642\u0627\u062a \u0627\u0644\u062a\u0642\u064a\u064a\u0645\u0627\u062a',
      '\u0627\u0644\u0633\u0627\u0628\u0639\u0629 \u0627\u0644\u0645\u0639\u0644\u0648\u0645\u0627\u062a',
      '\u062a\u0639\u0644\u064a\u0642\u0627\u062a',
    ],
  },
  {
    language: 'bn',
    verb: ['\u0989\u09aa\u09c7\u0995\u09cd\u09b7\u09be \u09ad\u09c1\u09b2\u09c7'],
    earlier: ['\u0986\u0997\u09c7\u09b0 \u09aa\u09c2\u09b0\u09cd\u09ac\u09ac\u09b0\u09cd\u09a4\u09c0'],
    order: [
      '\u09a8\u09bf\u09b0\u09cd\u09a6\u09c7\u09b6(|\u09c7\u09b0|\u09a8\u09be|\u0997\u09c1\u09b2\u09cb|\u0997\u09c1\u09b2\u09bf|\u09be\u09ac\u09b2\u09c0|\u09be\u09ac\u09b2\u09bf)',
    ],
    says: ['earlier 2 order 1 verb'],
    unlike: ['\u0985\u09aa\u09c7\u0995\u09cd\u09b7\u09be'],
  },
  {
    language: 'cs',
    verb: ['ignoruj(|te) zapome\u0148(|te)'],
    earlier: ['p\u0159edchoz(\u00ed|\u00edch|\u00edm|\u00edho) d\u0159\u00edv\u011bj\u0161(\u00ed|\u00edch|\u00edm)'],
    order: ['pokyn(|y|\u016f|u|ech) instrukc(e|i|\u00ed|\u00edch) p\u0159\u00edkaz(|y|\u016f|u|ech)'],
    says: ['verb 2 earlier 0 order'],
    unlike: ['konstrukce konstrukc\u00ed pr\u016fkaz pr\u016fkazu pr\u016fkazy'],
  },
  {
    language: 'de',
    verb: ['ignorier(|e|en|t) vergiss vergesst vergessen missacht(|e|en|et) verwirf'],
    earlier: [
      'bisherig(e|en|er|es) vorherig(e|en|er|es) vorig(e|en|er|es) vorangegangen(e|en|er|es) vorangehend(e|en|er|es)',
      'fr\u00fcher(e|en|er|es) frueher(e|en|er|es) obig(e|en|er|es) urspr\u00fcnglich(e|en|er|es)',
      'urspruenglich(e|en|er|es)',
    ],
    order: [
      'anweisung(|en) instruktion(|en) befehl(|e|en) vorgabe(|n) auftrag(|s) auftr\u00e4ge(|n) prompt(|s) regel(|n)',
    ],
    says: ['verb 3 earlier 0 order'],
    unlike: [
      'anfragen anleitung anleitungen antr\u00e4ge antr\u00e4gen anwendung anwendungen befohlen einweisung',
      'einweisungen konstruktion konstruktionen regelt regen segeln verbessern verfassen verlassen verweisen',
      'vorlagen zuweisung zuweisungen',
    ],
  },
  {
    language: 'en',
    verb: [
      'ignore ignoring disregard disregarding forget forgetting override overriding bypass discard do_not_follow',
      'do_not_obey dont_follow dont_obey stop_following stop_obeying',
    ],
    earlier: ['previous previously prior above earlier preceding former original initial system'],
    order: ['instruction prompt(|s) directive guideline commands directions programming'],
    orders: ['instructions directives guidelines'],
    rule: ['command'],
    rules: ['orders rules'],
    any: ['all any your other'],
    after: ['above before_this given you_were_given that_were_given'],
    says: ['verb 4 earlier 2 order|orders|rule|rules', 'verb 3 orders|rules 0 after'],
    perhaps: ['verb 4 any 2 order|orders', 'verb 4 any 0 rules'],
    unlike: [
      'abode carlier commanded commander commanders commandos commas commends comments commonjs commons construction',
      'constructions criminal deductions defective detections detective detectives digestive directing direction',
      'directors discord disregarded disregards dormer ether fallow farmer fellow fermer flowing forge forged forger',
      'forges forgot forgotten formatting formed give giver gives gridline gridlines hollow ignorance ignorant',
      'ignored ignores instructed instructing instructor instructors mules ordinal origin originals origins otter',
      'overline overridden overrides overrule overruling overrun oversize overtime overwrite overwriting precedes',
      'precious prepending presiding pretending previews prio proceeding regional roles rule ruled ruler rulers',
      'runes sidelines wormer',
    ],
  },
  {
    language: 'es',
    verb: ['ignora ignore ignorad olvida olvide omite'],
    earlier: ['anteriores previas iniciales de_arriba'],
    order: ['instrucciones \u00f3rdenes indicaciones reglas directrices'],
    says: ['verb 3 order 0 earlier'],
    unlike: [
      'construcciones exteriores ignoram ignoran ignorano ignoro ignorou ignor\u00f2 ignor\u00f3 interiores',
      'invitaciones olvido olvid\u00f3',
    ],
  },
  {
    language: 'fr',
    verb: ['ignore ignorez ignorer oublie oubliez oublier'],
    earlier: ['pr\u00e9c\u00e9dent(|e|s|es) ant\u00e9rieur(|e|s|es) initial(|e|es) initiaux ci_dessus'],
    order: ['instruction(|s) consigne(|s) ordres directives r\u00e8gles'],
    says: ['verb 3 order 0 earlier'],
    unlike: [
      'dessous ext\u00e9rieur ext\u00e9rieure ext\u00e9rieures ext\u00e9rieurs ignoram ignoran ignorano ignoro',
      'ignorou ignor\u00e9 ignor\u00e9e ignor\u00e9s ignor\u00f2 ignor\u00f3 int\u00e9rieur int\u00e9rieure',
      'int\u00e9rieures int\u00e9rieurs ordures oubli\u00e9 oubli\u00e9e oubli\u00e9s pr\u00e9sidente',
      'pr\u00e9sidentes publie publier publiez ult\u00e9rieur ult\u00e9rieure ult\u00e9rieures ult\u00e9rieurs',
    ],
  },
  {
    language: 'hi',
    verb: [
      '\u0905\u0928\u0926\u0947\u0916\u093e \u0905\u0928\u0926\u0947\u0916\u0940',
      '\u0928\u091c\u093c\u0930\u0905\u0902\u0926\u093e\u091c\u093c \u092d\u0942\u0932',
    ],
    earlier: ['\u092a\u093f\u091b\u0932\u0947'],
    order: ['\u0928\u093f\u0930\u094d\u0926\u0947\u0936(|\u094b\u0902|\u094b)'],
    says: ['earlier 2 order 1 verb'],
    unlike: ['\u0928\u093f\u0930\u094d\u0926\u0947\u0936\u0915 \u0928\u093f\u0930\u094d\u0926\u0947\u0936\u0928'],
  },
  {
    language: 'id',
    verb: ['abaikan(|lah)'],
    earlier: ['sebelumnya terdahulu di_atas'],
    order: ['instruksi perintah arahan'],
    says: ['verb 2 order 1 earlier'],
    unlike: ['abadikan konstruksi pemerintah sebelahnya'],
  },
  {
    language: 'it',
    verb: ['ignora ignorate ignori dimentica dimenticate dimentichi'],
    earlier: ['precedenti iniziali sopra'],
    order: ['istruzioni ordini direttive indicazioni regole'],
    says: ['verb 3 order 0 earlier'],
    unlike: [
      'costruzioni domenica estrazioni ignoram ignoran ignorano ignoro ignorou ignor\u00f2 ignor\u00f3 iscrizioni',
      'presidenti regali regalo',
    ],
  },
  {
    language: 'nl',
    verb: ['negeer vergeet'],
    earlier: ['vorige eerdere voorgaande bovenstaande'],
    order: ['instructie(|s) opdracht(|en) aanwijzing(|en) regel(|s)'],
    says: ['verb 2 earlier 0 order'],
    unlike: ['constructies tegels verdere zegels'],
  },
  {
    language: 'pl',
    verb: ['ignoruj(|cie|my) zignoruj(|cie|my) zapomnij(|cie|my)'],
    earlier: ['poprzedni(|e|ch|m|mi) wcze\u015bniejsz(e|y|ych|ym|ymi)'],
    order: [
      'instrukcj(e|i|\u0119|a|ach|ami) poleceni(e|a|ach|om) polece\u0144 rozkaz(|y|u|\u00f3w|ach) wytyczn(e|ych|ym)',
    ],
    says: ['verb 2 earlier 0 order'],
    unlike: ['konstrukcja konstrukcje konstrukcji konstrukcj\u0119'],
  },
  {
    language: 'pt',
    verb: ['ignore ignora esque\u00e7a esquece desconsidere'],
    earlier: ['anteriores pr\u00e9vias iniciais acima'],
    order: ['instru\u00e7\u00f5es ordens orienta\u00e7\u00f5es regras diretrizes'],
    says: ['verb 3 order 0 earlier'],
    unlike: [
      'constru\u00e7\u00f5es exteriores ignoram ignoran ignorano ignoro ignorou ignor\u00f2 ignor\u00f3 interiores',
      'orientados',
    ],
  },
  {
    language: 'ru',
    verb: [
      '\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\u0439(|\u0442\u0435)',
      '\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u043e\u0432\u0430\u0442\u044c',
      '\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\u0435\u043c',
      '\u043f\u0440\u043e\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\u0439(|\u0442\u0435)',
      '\u0437\u0430\u0431\u0443\u0434\u044c(|\u0442\u0435)',
    ],
    earlier: [
      '\u043f\u0440\u0435\u0434\u044b\u0434\u0443\u0449(\u0438\u0435|\u0438\u0445|\u0438\u043c\u0438|\u0430\u044f|\u0443\u044e|\u0435\u0439|\u0435\u0435|\u0438\u0439|\u0435\u0433\u043e)',
      '\u043f\u0440\u0435\u0436\u043d(\u0438\u0435|\u0438\u0445|\u0438\u043c\u0438|\u044f\u044f|\u044e\u044e|\u0435\u0435|\u0438\u0439)',
    ],
    order: [
      '\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446(\u0438\u0438|\u0438\u0439|\u0438\u044e|\u0438\u044f|\u0438\u044f\u043c\u0438|\u0438\u044f\u0445)',
      '\u0443\u043a\u0430\u0437\u0430\u043d(\u0438\u044f|\u0438\u0439|\u0438\u0435|\u0438\u044f\u043c\u0438|\u0438\u044f\u0445)',
      '\u043a\u043e\u043c\u0430\u043d\u0434(|\u044b|\u0443|\u0430|\u0430\u043c\u0438|\u0430\u0445)',
    ],
    says: ['verb 2 earlier 0 order'],
    unlike: [
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0438\u0438',
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0438\u0439',
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0438\u044e',
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0438\u044f',
      '\u0441\u043a\u0430\u0437\u0430\u043d\u0438\u044f',
    ],
  },
  {
    language: 'sv',
    verb: ['ignorera gl\u00f6m bortse_fr\u00e5n'],
    earlier: ['tidigare f\u00f6reg\u00e5ende ovanst\u00e5ende'],
    order: ['instruktion(|er|en|erna) order anvisning(|ar|en|arna) regler(|na)'],
    says: ['verb 2 earlier 0 order'],
    unlike: ['avvisning avvisningar h\u00e4nvisning h\u00e4nvisningar konstruktionen konstruktioner konstruktionerna'],
  },
  {
    language: 'tl',
    verb: ['huwag_pansinin huwag_mong_pansinin'],
    earlier: ['naunang nakaraang'],
    order: ['utos tagubilin instruksyon'],
    says: ['verb 3 earlier 1 order'],
  },
  {
    language: 'tr',
    verb: ['yok_say(|\u0131n|\u0131n\u0131z) unut(|un|unuz) g\u00f6rmezden dikkate_alma(|y\u0131n|y\u0131n\u0131z)'],
    earlier: ['\u00f6nceki'],
    order: [
      'talimat(|\u0131|lar|lar\u0131|lar\u0131n\u0131|lar\u0131m\u0131) komut(|u|lar|lar\u0131|lar\u0131n\u0131)',
      'y\u00f6nerge(|yi|ler|leri|lerini) emir(|ler|leri|lerini)',
    ],
    says: ['earlier 2 order 0 verb'],
    unlike: [
      'eserleri kom\u015fular kom\u015fular\u0131 konular konular\u0131 konular\u0131n\u0131 ko\u015fullar',
      'ko\u015fullar\u0131 ko\u015fullar\u0131n\u0131 teslimatlar teslimatlar\u0131 teslimatlar\u0131n\u0131',
      'teslimat\u0131',
    ],
  },
  {
    language: 'uk',
    verb: [
      '\u0456\u0433\u043d\u043e\u0440\u0443\u0439(|\u0442\u0435)',
      '\u0456\u0433\u043d\u043e\u0440\u0443\u0432\u0430\u0442\u0438',
      '\u043f\u0440\u043e\u0456\u0433\u043d\u043e\u0440\u0443\u0439(|\u0442\u0435)',
      '\u0437\u0430\u0431\u0443\u0434\u044c(|\u0442\u0435)',
    ],
    earlier: [
      '\u043f\u043e\u043f\u0435\u0440\u0435\u0434\u043d(\u0456|\u0456\u0445|\u0456\u0439|\u044f|\u044e|\u0454|\u0456\u043c\u0438|\u044c\u043e\u0433\u043e)',
    ],
    order: [
      '\u0456\u043d\u0441\u0442\u0440\u0443\u043a\u0446(\u0456\u0457|\u0456\u0439|\u0456\u044e|\u0456\u044f|\u0456\u044f\u043c\u0438)',
      '\u0432\u043a\u0430\u0437\u0456\u0432\u043a(\u0438|\u0443|\u0430|\u0430\u043c\u0438)',
      '\u0432\u043a\u0430\u0437\u0456\u0432\u043e\u043a',
      '\u043a\u043e\u043c\u0430\u043d\u0434(|\u0438|\u0443|\u0430|\u0430\u043c\u0438)',
    ],
    says: ['verb 2 earlier 0 order'],
    unlike: [
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0456\u0439',
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0456\u044e',
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0456\u044f',
      '\u043a\u043e\u043d\u0441\u0442\u0440\u0443\u043a\u0446\u0456\u0457',
    ],
  },
  {
    language: 'vi',
    verb: ['b\u1ecf_qua qu\u00ean'],
    earlier: ['tr\u01b0\u1edbc \u1edf_tr\u00ean'],
    order: ['h\u01b0\u1edbng_d\u1eabn ch\u1ec9_d\u1eabn l\u1ec7nh ch\u1ec9_th\u1ecb'],
    says: ['verb 3 order 1 earlier'],
    unlike: ['quen thu\u1ed1c thu\u1ed9c tr\u00fac tr\u1ee5c tr\u1ef1c t\u01b0\u1edbc'],
  },
];
