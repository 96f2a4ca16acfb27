// Plain English, JSON and HTML of any length, the same on every machine, to measure a classifier on texts without attacks.
// Every size is a prefix of the largest, so that sizes differ only in length.
const WORDS = `the of and a in is that for it was on as with be by at this have from or had an but not are which one you
were all there been their has more some would when up out if so about than them can only other into could time these two
may then any first over such our most after also made many before through back years where much well down should because
each just people how too little state good very make world still own see work long get here between both life being under
never day same another know while last might great year since against come right used take three report customer meeting
schedule delivery invoice department quarter budget project manager engineer system server database request response
network storage window kitchen garden recipe flour butter minutes oven season village river mountain railway station
history century museum library university research results method sample figure table chapter section analysis energy
temperature pressure increase decrease average number percent region council election policy government minister company
market price product quality service support account order shipping address weather morning evening afternoon weekend
family children school teacher student language music painting theatre concert language document version release update
install configure package function parameter value default option example returns error warning message however although
therefore usually probably recently carefully quickly several various different important necessary possible available
original previous following current general special public private simple complete common local national modern`.split(
  /\s+/,
);
const NAMES = 'Anna Mueller|Tomas Novak|Priya Sharma|Wei Chen|Maria Silva|John Baker|Fatima Haddad|Olga Petrova'.split(
  '|',
);
const TAGS = 'home news archive travel food science sport opinion review guide'.split(' ');
const START = 20261115;

/** A stream of choices: a linear congruential generator. */
class Choices {
  state = START;

  below(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  of(list) {
    return list[this.below(list.length)];
  }

  /** Common words are first in the list and are chosen more often. */
  word() {
    return WORDS[Math.min(this.below(WORDS.length), this.below(WORDS.length))];
  }

  words(count) {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  number() {
    return this.of([() => this.below(100), () => 1900 + this.below(127), () => this.below(100_000) / 100])();
  }

  id(length) {
    return Array.from({ length }, () => '0123456789abcdef'[this.below(16)]).join('');
  }

  date() {
    const two = (limit) => String(1 + this.below(limit)).padStart(2, '0');
    return `2026-${two(12)}-${two(28)}T${two(23)}:${two(59)}:${two(59)}Z`;
  }

  sentence() {
    const head = this.words(3 + this.below(8));
    const tail = this.of([
      () => `, ${this.words(3 + this.below(6))}`,
      () => ` (${this.words(2 + this.below(3))})`,
      () => ` ${this.number()} ${this.words(2 + this.below(4))}`,
      () => ` "${this.words(2 + this.below(4))}" ${this.words(2)}`,
      () => `, said ${this.of(NAMES)}`,
      () => `; it doesn't ${this.words(4)}`,
      () => '',
    ])();
    return `${head[0].toUpperCase()}${head.slice(1)}${tail}${this.of(['.', '.', '.', '.', '?', '!'])}`;
  }

  paragraph() {
    return Array.from({ length: 2 + this.below(4) }, () => this.sentence()).join(' ');
  }
}

function english(choices) {
  return `${choices.paragraph()}\n\n`;
}

/** An entry as an API returns it, with the escapes of prose in JSON. */
function json(choices) {
  const entry = {
    id: choices.below(1_000_000),
    node_id: choices.id(20),
    title: choices.words(5),
    state: choices.of(['open', 'closed', 'merged']),
    created_at: choices.date(),
    url: `https://api.example.com/v2/items/${choices.below(100_000)}?page=${choices.below(20)}&sort=asc`,
    user: { login: choices.word() + choices.below(100), name: choices.of(NAMES), site_admin: false },
    labels: [choices.word(), choices.word()],
    body: `${choices.paragraph()}\n\n${choices.paragraph()}\u2019s "${choices.words(3)}"`,
    score: choices.number(),
    parent: null,
  };
  const text = JSON.stringify(entry, null, choices.below(2) * 2);
  return `${text.replaceAll('\u2019', '\\u2019')},\n`;
}

/** A part of a page: navigation, prose with inline tags and references, a table, an image, a script. */
function html(choices) {
  const part = choices.below(8);
  const style = `padding:${choices.below(20)}px;color:#333`;
  if (part === 0)
    return `<nav class="menu"><ul>${TAGS.map((tag) => `<li class="item"><a href="/${tag}/${choices.below(99)}">${tag}</a></li>`).join('')}</ul></nav>\n`;
  if (part === 1)
    return `<table class="data">${Array.from({ length: 4 }, () => `<tr><td>${choices.word()}</td><td align="right">${choices.number()}</td></tr>`).join('\n')}</table>\n`;
  if (part === 2)
    return `<figure><img src="/img/${choices.id(12)}.jpg" alt="${choices.words(5)}" width="640" height="480"><figcaption>${choices.sentence()}</figcaption></figure>\n`;
  if (part === 3)
    return `<!-- ${choices.words(3)} -->\n<script>var ${choices.word()} = ${choices.below(100)};</script>\n`;
  const inline = `<a href="https://www.example.org/${choices.word()}?a=1&amp;b=2" title="${choices.words(3)}">${choices.words(2)}</a>`;
  return `<div class="post" id="p${choices.below(9999)}" style="${style}">\n  <h2>${choices.words(4)}</h2>\n  <p>${choices.paragraph()} <b>${choices.words(2)}</b>&nbsp;&ndash; ${inline} ${choices.sentence()}</p>\n</div>\n`;
}

const KINDS = { english, json, html };

/**
 * @param {keyof typeof KINDS} kind
 * @param {number} length in characters, which are bytes too: the texts are ASCII
 */
export function textOf(kind, length) {
  const choices = new Choices();
  const pieces = kind === 'json' ? ['{"items": [\n'] : [];
  for (let size = 0; size < length; ) {
    const piece = KINDS[kind](choices);
    pieces.push(piece);
    size += piece.length;
  }
  // Through a buffer, so that the string is flat: the first reader of a rope would pay for flattening it.
  return Buffer.from(pieces.join('').slice(0, length), 'latin1').toString('latin1');
}

export const kinds = Object.keys(KINDS);
