/**
 * The one phrase that every attack kit carries, setting earlier instructions aside, in the languages of the lexicon. Harmless
 * text hardly ever says it outside of quotation marks. Gaps are bounded, so that a text of such words is read in linear time.
 */
const PHRASES: readonly string[] = [
  // en
  "\\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass|discard|(?:do not|don't|stop) (?:follow|obey)(?:ing)?) (?:[a-z']{1,12} ){0,4}(?:previous|previously|prior|above|earlier|preceding|former|original|initial|system) (?:[a-z']{1,14} ){0,2}(?:instructions?|prompts?|directives?|guidelines?|commands?|directions|programming|orders|rules)\\b",
  "\\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass|discard|(?:do not|don't|stop) (?:follow|obey)(?:ing)?) (?:[a-z']{1,12} ){0,3}(?:instructions|directives|guidelines|orders|rules) (?:above|before this|(?:you were |that were )?given)\\b",
  // de, nl, sv
  '\\b(?:ignorier|vergiss|vergesst|vergessen|missacht|verwirf)\\w{0,4} (?:(?:sie|bitte) )?(?:\\S{1,10} ){0,2}(?:bisherig|vorherig|vorig|vorangegangen|vorangehend|fr\u00fcher|obig|urspr\u00fcnglich)\\w{0,3} (?:anweisung|instruktion|befehle?\\b|vorgabe|auftr|prompt|regeln?\\b)',
  '\\b(?:negeer|vergeet) (?:\\w{1,6} ){0,2}(?:vorige|eerdere|voorgaande|bovenstaande) (?:instructie|opdracht|aanwijzing|regels?\\b)',
  '\\b(?:ignorera|gl\u00f6m|bortse fr\u00e5n) (?:\\w{1,5} ){0,2}(?:tidigare|f\u00f6reg\u00e5ende|ovanst\u00e5ende) (?:instruktion|order\\b|anvisning|regler\\b)',
  // fr, es, pt, it
  '\\b(?:ignore|ignorez|ignorer|oublie|oubliez|oublier) (?:\\w{1,7} ){0,3}(?:instructions?|consignes?|ordres|directives|r\u00e8gles) (?:pr\u00e9c\u00e9dent|ant\u00e9rieur|initial|ci-dessus)',
  '\\b(?:ignora|ignore|ignorad|olvida|olvide|omite) (?:\\w{1,6} ){0,3}(?:instrucciones|\u00f3rdenes|indicaciones|reglas|directrices) (?:anteriores|previas|iniciales|de arriba)',
  '\\b(?:ignore|ignora|esque\u00e7a|esquece|desconsidere) (?:\\w{1,6} ){0,3}(?:instru\u00e7\u00f5es|ordens|orienta\u00e7\u00f5es|regras|diretrizes) (?:anteriores|pr\u00e9vias|iniciais|acima)',
  '\\b(?:ignora|ignorate|ignori|dimentica|dimenticate|dimentichi) (?:\\w{1,6} ){0,3}(?:istruzioni|ordini|direttive|indicazioni|regole) (?:precedenti|iniziali|sopra)',
  // pl, cs
  '\\b(?:z?ignoruj\\w{0,3}|zapomnij\\w{0,3}) (?:\\w{1,9} ){0,2}(?:poprzedni|wcze\u015bniejsz)\\w{0,3} (?:instrukcj|polece|rozkaz|wytyczn)',
  '\\b(?:ignoruj|ignorujte|zapome\u0148|zapome\u0148te) (?:\\S{1,9} ){0,2}(?:p\u0159edchoz|d\u0159\u00edv\u011bj\u0161)\\S{0,3} (?:pokyn|instrukc|p\u0159\u00edkaz)',
  // ru, uk
  '(?:\u0438\u0433\u043d\u043e\u0440\u0438\u0440|\u0437\u0430\u0431\u0443\u0434|\u0456\u0433\u043d\u043e\u0440\u0443)\\S{0,4} (?:\\S{1,6} ){0,2}(?:\u043f\u0440\u0435\u0434\u044b\u0434\u0443\u0449|\u043f\u0440\u0435\u0436\u043d|\u043f\u043e\u043f\u0435\u0440\u0435\u0434\u043d)\\S{0,3} (?:\u0438\u043d\u0441\u0442\u0440\u0443\u043a\u0446|\u0443\u043a\u0430\u0437\u0430\u043d|\u043a\u043e\u043c\u0430\u043d\u0434|\u0456\u043d\u0441\u0442\u0440\u0443\u043a\u0446|\u0432\u043a\u0430\u0437\u0456\u0432)',
  // tr, id, tl, vi
  '\u00f6nceki (?:\\S{1,6} ){0,2}(?:talimat|komut|y\u00f6nerge|emir)\\S{0,6} (?:yok say|unut|g\u00f6rmezden|dikkate alma)',
  '\\babaikan (?:\\w{1,7} ){0,2}(?:instruksi|perintah|arahan) (?:\\w{1,7} )?(?:sebelumnya|terdahulu|di atas)',
  '\\bhuwag (?:mong )?pansinin (?:\\w{1,5} ){0,3}(?:naunang|nakaraang) (?:\\w{1,4} )?(?:utos|tagubilin|instruksyon)',
  '(?:b\u1ecf qua|qu\u00ean) (?:\\S{1,6} ){0,3}(?:h\u01b0\u1edbng d\u1eabn|ch\u1ec9 d\u1eabn|l\u1ec7nh|ch\u1ec9 th\u1ecb) (?:\\S{1,5} )?(?:tr\u01b0\u1edbc|\u1edf tr\u00ean)',
  // ja, zh, ko
  '(?:\u3053\u308c\u307e\u3067|\u4ee5\u524d|\u524d|\u4e0a\u8a18|\u5148\u307b\u3069|\u5f93\u6765)\u306e.{0,6}(?:\u6307\u793a|\u547d\u4ee4|\u6307\u4ee4|\u30eb\u30fc\u30eb|\u30d7\u30ed\u30f3\u30d7\u30c8).{0,6}(?:\u7121\u8996|\u5fd8\u308c|\u7834\u68c4)',
  '(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996|\u5fd8\u8bb0|\u5fd8\u8a18|\u5fd8\u6389|\u5ffd\u89c6).{0,4}(?:\u4e4b\u524d|\u4ee5\u4e0a|\u4e0a\u8ff0|\u6b64\u524d|\u5148\u524d|\u524d\u9762|\u6240\u6709).{0,6}(?:\u6307\u4ee4|\u6307\u793a|\u63d0\u793a|\u547d\u4ee4|\u8bf4\u660e|\u89c4\u5219)',
  '(?:\uc774\uc804|\uc55e\uc120|\uae30\uc874|\uc9c0\uae08\uae4c\uc9c0).{0,6}(?:\uc9c0\uc2dc|\uba85\ub839|\uc9c0\uce68|\uaddc\uce59).{0,6}(?:\ubb34\uc2dc|\uc78a)',
  // ar, hi, bn, th, as the view writes them: a Thai sara am is two characters there
  '(?:\u062a\u062c\u0627\u0647\u0644|\u0627\u0646\u0633)\\S{0,2} (?:\\S{1,5} ){0,2}(?:\u0627\u0644\u062a\u0639\u0644\u064a\u0645\u0627\u062a|\u0627\u0644\u0623\u0648\u0627\u0645\u0631|\u062a\u0639\u0644\u064a\u0645\u0627\u062a\u0643|\u0627\u0644\u0625\u0631\u0634\u0627\u062f\u0627\u062a) (?:\u0627\u0644\u0633\u0627\u0628\u0642\u0629|\u0623\u0639\u0644\u0627\u0647)',
  '\u092a\u093f\u091b\u0932\u0947 (?:\\S{1,5} ){0,2}\u0928\u093f\u0930\u094d\u0926\u0947\u0936.{0,6}(?:\u0905\u0928\u0926\u0947\u0916\u093e|\u0928\u091c\u093c\u0930\u0905\u0902\u0926\u093e\u091c\u093c|\u092d\u0942\u0932)',
  '(?:\u0986\u0997\u09c7\u09b0|\u09aa\u09c2\u09b0\u09cd\u09ac\u09ac\u09b0\u09cd\u09a4\u09c0) (?:\\S{1,5} ){0,2}\u09a8\u09bf\u09b0\u09cd\u09a6\u09c7\u09b6.{0,6}(?:\u0989\u09aa\u09c7\u0995\u09cd\u09b7\u09be|\u09ad\u09c1\u09b2\u09c7)',
  '(?:\u0e40\u0e1e\u0e34\u0e01\u0e40\u0e09\u0e22|\u0e25\u0e30\u0e40\u0e27\u0e49\u0e19|\u0e25\u0e37\u0e21|\u0e44\u0e21\u0e48\u0e2a\u0e19\u0e43\u0e08).{0,4}(?:\u0e04\u0e4d\u0e32\u0e2a\u0e31\u0e48\u0e07|\u0e04\u0e4d\u0e32\u0e41\u0e19\u0e30\u0e19\u0e4d\u0e32).{0,6}(?:\u0e01\u0e48\u0e2d\u0e19\u0e2b\u0e19\u0e49\u0e32|\u0e17\u0e35\u0e48\u0e1c\u0e48\u0e32\u0e19\u0e21\u0e32)',
];

/** Reads a text in which signs between words have become single blanks. */
export const OVERRIDE: RegExp = new RegExp(PHRASES.join('|'), 'gi');

/** What may be meant for others as well: a flag that overrides all prompts, a compiler that ignores any directive. */
export const PERHAPS: RegExp =
  /\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|bypass|discard|(?:do not|don't|stop) (?:follow|obey)(?:ing)?) (?:[a-z']{1,12} ){0,4}(?:all|any|your|other) (?:[a-z']{1,14} ){0,2}(?:instructions?|prompts?|directives?|guidelines?|commands|directions|programming)\b/gi;

// "Do not forget the earlier instructions" says the opposite: words before the phrase, within it or after it.
const NOT_BEFORE =
  /(?:\b(?:not|never|no|n\u00e3o|nie|ne|pas|jangan|\u0111\u1eebng|nicht)|n't|(?:^|\s)\u043d\u0435|\u0e2d\u0e22\u0e48\u0e32|\u4e0d\u8981|\u8bf7\u52ff|\u52ff) ?(?:to )?$/i;
const NOT_WITHIN = /^\S+ (?:inte|nicht|niet|ikke)\b/i;
const NOT_AFTER =
  /^(?:\u305a|\u306a\u3044|\u3057\u306a\u3044|\ud558\uc9c0|\uc9c0 |\S{0,3} khi\b|.{0,8} \u09a8\u09be|.{0,12}\b(?:niet|nicht|inte)\b)/i;

/** Whether the words before, within or after a phrase negate it. */
export function isNegated(before: string, phrase: string, after: string): boolean {
  return NOT_BEFORE.test(before) || NOT_WITHIN.test(phrase) || NOT_AFTER.test(after);
}
