// Texts that programs print: listings, diffs, reports, records, logs, receipts. Harmless, and all different.
import type { Document } from '../document.ts';
import type { Random } from '../random.ts';
import { CODE } from './code.ts';
import { Names } from './names.ts';

type Kind = (names: Names) => string;

const LISTINGS: readonly Kind[] = [
  (n) => n.lines(20, () => n.path()),
  (n) => {
    const folder = n.path();
    return n.lines(12, () => `${folder}/${n.file()}`);
  },
  (n) => n.lines(15, () => `${n.random.pick(['[FILE]', '[DIR]', 'd', '-', 'f'])} ${n.file()}`),
  (n) =>
    n.lines(15, () => `-rw-r--r-- 1 ${n.word()} ${n.word()} ${n.number(90000)} ${n.date()} ${n.time()} ${n.file()}`),
  (n) => n.lines(10, () => `${n.number(900)}K\t${n.path()}`),
  (n) =>
    JSON.stringify(
      n.list(8, () => n.path()),
      undefined,
      2,
    ),
  (n) =>
    JSON.stringify(
      n.list(6, () => n.file()).map((name) => ({ name, type: 'file' })),
      undefined,
      n.number(3),
    ),
  (n) => JSON.stringify({ content: n.lines(8, () => n.path()) }),
  (n) => n.lines(10, () => `${n.path()}:${n.number()}:${n.number(80)}: ${n.words(8)}`),
  (n) => n.lines(8, () => `${n.path()}:${n.number()}:  ${n.random.pick(CODE)(n).split('\n')[0]}`),
];

function hunk(n: Names): string {
  const [from, to] = [n.number(), n.number()];
  const lines = n.lines(10, () => `${n.random.pick([' ', ' ', '+', '-'])}${n.random.pick(CODE)(n).split('\n')[0]}`);
  return `@@ -${from},${n.number(9)} +${to},${n.number(9)} @@\n${lines}`;
}

const DIFFS: readonly Kind[] = [
  (n) => {
    const path = n.path();
    return `\`\`\`diff\nIndex: ${path}\n${'='.repeat(67)}\n--- ${path}\toriginal\n+++ ${path}\tmodified\n${hunk(n)}\n\`\`\``;
  },
  (n) => {
    const path = n.path();
    return `diff --git a/${path} b/${path}\nindex ${n.hex(7)}..${n.hex(7)} 100644\n--- a/${path}\n+++ b/${path}\n${hunk(n)}`;
  },
  (n) => n.lines(10, () => `${n.random.pick([' M', 'A ', '??', 'D ', 'R '])} ${n.path()}`),
  (n) => n.lines(10, () => `${n.hex(7)} ${n.title()} ${n.words(8)}`),
  (n) => n.lines(8, () => ` ${n.path()} | ${n.number(90)} ${'+'.repeat(n.number(20))}${'-'.repeat(n.number(9))}`),
  (n) =>
    `commit ${n.hex(40)}\nAuthor: ${n.person()} <${n.mail()}>\nDate:   ${n.date()}\n\n    ${n.title()} ${n.words(9)}`,
  (n) =>
    `[${n.word()} ${n.hex(7)}] ${n.title()} ${n.words(6)}\n ${n.number(9)} files changed, ${n.number()} insertions(+)`,
  (n) =>
    `On branch ${n.identifier()}\nChanges not staged for commit:\n${n.lines(6, () => `\tmodified:   ${n.path()}`)}`,
];

const REPORTS: readonly Kind[] = [
  (n) =>
    `TAP version 13\n${n.lines(9, () => `ok ${n.number(90)} - ${n.words(7)}\n  ---\n  duration_ms: ${n.number()}\n  ...`)}`,
  (n) =>
    `${n.lines(9, () => ` ${n.random.pick(['\u2713', '\u00d7', 'ok', 'PASS'])} ${n.path()} > ${n.words(7)} ${n.number()}ms`)}\n Tests  ${n.number()} passed`,
  (n) =>
    `${n.lines(8, () => `${n.path()}::test_${n.word()} PASSED`)}\n===== ${n.number()} passed in ${n.number(60)}.${n.digits(2)}s =====`,
  (n) =>
    `added ${n.number()} packages, and audited ${n.number(2000)} packages in ${n.number(60)}s\n\n${n.number()} packages are looking for funding\n  run \`npm fund\` for details\n\nfound 0 vulnerabilities`,
  (n) =>
    `> ${n.identifier()}@${n.number(9)}.${n.number(20)}.0 ${n.word()}\n> ${n.word()} ${n.path()}\n\n${n.lines(5, () => n.words(9))}`,
  (n) =>
    `NAME READY STATUS RESTARTS AGE\n${n.lines(8, () => `${n.identifier()}-${n.hex(9)} 1/1 Running ${n.number(4)} ${n.number(60)}d`)}`,
  (n) =>
    `CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n${n.lines(5, () => `${n.hex(12)}   ${n.word()}:${n.number(20)}   "${n.path()}"   ${n.number(20)} hours ago   Up ${n.number(20)} hours   ${n.digits(4)}/tcp   ${n.identifier()}`)}`,
  (n) =>
    n.lines(
      12,
      () =>
        `${n.date()}T${n.time()}Z ${n.random.pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])} ${n.identifier()}: ${n.words(10)} ${n.word()}=${n.number()}`,
    ),
  (n) => n.lines(8, () => `[${n.time()}] ${n.identifier()}[${n.digits(5)}]: ${n.words(9)}`),
  (n) =>
    `${n.title()}Error: ${n.words(8)}\n${n.lines(8, () => `    at ${n.identifier()} (${n.path()}:${n.number()}:${n.number(80)})`)}`,
  (n) =>
    `Traceback (most recent call last):\n${n.lines(5, () => `  File "${n.path()}", line ${n.number()}, in ${n.word()}\n    ${n.word()}(${n.word()})`)}\n${n.title()}Error: ${n.words(7)}`,
];

const RECEIPTS: readonly Kind[] = [
  (n) => `${n.random.pick(['Successfully wrote', 'Wrote', 'Saved'])} ${n.number(90000)} bytes to ${n.path()}`,
  (n) => `${n.random.pick(['Created', 'Deleted', 'Updated', 'Moved', 'Copied', 'Renamed', 'Uploaded'])} ${n.path()}`,
  (n) => `Moved ${n.path()} to ${n.path()}`,
  (n) => `${n.random.pick(['Email', 'Message', 'Invitation', 'Reply'])} sent to ${n.mail()}. Message id: ${n.hex(16)}`,
  (n) => `Error: ENOENT: no such file or directory, open '${n.path()}'`,
  (n) => `${n.random.pick(['No results', 'Nothing found', 'No matches', '0 rows', 'No events'])} for "${n.words(4)}".`,
  (n) =>
    `Exit code: ${n.number(3)}\nSTDOUT:\n${n.lines(5, () => n.words(8))}\nSTDERR:\n${n.random.chance(0.5) ? '' : n.words(9)}`,
  (n) =>
    `${n.random.pick(['Issue', 'Ticket', 'Pull request', 'Task', 'Order'])} #${n.number()} ${n.random.pick(['created', 'closed', 'updated', 'merged', 'assigned'])}: ${n.title()} ${n.words(6)}\n${n.url()}`,
  (n) => JSON.stringify({ ok: true, id: n.uuid(), status: n.word(), updated_at: `${n.date()}T${n.time()}Z` }),
  (n) => JSON.stringify({ success: n.random.chance(0.8), message: `${n.title()} ${n.words(6)}`, data: null }),
  (n) =>
    `Payment of ${n.number()}.${n.digits(2)} EUR to ${n.person()} was booked on ${n.date()}. Reference ${n.digits(10)}.`,
  (n) =>
    `HTTP/1.1 ${n.random.pick([200, 201, 204, 301, 404, 500])}\ncontent-type: application/json\ndate: ${n.date()}\netag: "${n.hex(16)}"\n\n{"${n.word()}":"${n.word()}"}`,
];

const RECORDS: readonly Kind[] = [
  (n) =>
    JSON.stringify(
      n
        .list(5, () => n.uuid())
        .map((id) => ({ id, name: n.person(), mail: n.mail(), city: n.title(), active: true, score: n.number() })),
      undefined,
      n.number(3),
    ),
  (n) =>
    JSON.stringify(
      n
        .list(4, () => n.title())
        .map((title) => ({
          number: n.number(),
          title: `${title} ${n.words(7)}`,
          state: 'open',
          user: { login: n.word(), url: n.url() },
          labels: n.list(3, () => n.word()),
          body: n.words(20),
        })),
      undefined,
      n.number(3),
    ),
  (n) =>
    `${n.words(3).replaceAll(' ', ',')}\n${n.lines(12, () => `${n.person()},${n.number()},${n.date()},${n.word()}`)}`,
  (n) =>
    `| ${n.word()} | ${n.word()} | ${n.word()} |\n|---|---|---|\n${n.lines(9, () => `| ${n.words(4)} | ${n.number()} | \`${n.identifier()}\` |`)}`,
  (n) =>
    n.lines(
      9,
      () => `${n.word()}: ${n.random.pick([n.words(4), String(n.number()), n.path(), n.url(), `"${n.word()}"`])}`,
    ),
  (n) =>
    n.lines(
      12,
      () => `${n.identifier().toUpperCase()}=${n.random.pick([n.hex(12), n.url(), n.word(), String(n.number())])}`,
    ),
  (n) => `[${n.word()}]\n${n.lines(8, () => `${n.identifier()} = "${n.words(3)}"`)}`,
  (n) => n.lines(6, () => `${n.title()} ${n.words(6)}\n${n.url()}\n${n.title()} ${n.words(18)}.\n`),
  (n) =>
    n.lines(8, () => `${n.date()} ${n.time().slice(0, 5)} ${n.title()} ${n.words(4)} (${n.person()}, ${n.mail()})`),
  (n) =>
    n.lines(
      9,
      () =>
        `${n.date()}  ${n.person()}  ${n.random.pick(['-', ''])}${n.number()}.${n.digits(2)} EUR  ${n.title()} ${n.words(3)}`,
    ),
  (n) => n.lines(8, () => `"${n.person()}" <${n.mail()}>`),
];

const MARKUP: readonly Kind[] = [
  (n) =>
    `<nav>\n<ul>\n${n.lines(9, () => `<li><a href="${n.url()}">${n.title()} ${n.words(3)}</a></li>`)}\n</ul>\n</nav>`,
  (n) =>
    `<form action="${n.url()}" method="post">\n${n.lines(5, () => `<label for="${n.identifier()}">${n.title()}</label><input name="${n.identifier()}" required>`)}\n<button type="submit">${n.title()}</button>\n</form>`,
  (n) =>
    `<head>\n${n.lines(7, () => `<meta name="${n.identifier()}" content="${n.words(9)}">`)}\n<title>${n.title()} ${n.words(5)}</title>\n</head>`,
  (n) => n.lines(6, () => `<img src="${n.url()}" alt="${n.title()} ${n.words(6)}" width="${n.number()}">`),
  (n) =>
    `<svg viewBox="0 0 ${n.number()} ${n.number()}"><path d="M${n.number()} ${n.number()}L${n.number()} ${n.number()}Z"/></svg>`,
  (n) =>
    `Received: from ${n.word()}.example (${n.number(255)}.0.2.${n.number(255)}) by ${n.word()}.example with ESMTPS id ${n.hex(12)};\n ${n.date()} ${n.time()}\nDKIM-Signature: v=1; a=rsa-sha256; d=${n.word()}.example; s=${n.word()};\n b=${n.base64(90)}\nSubject: ${n.title()} ${n.words(6)}\nFrom: ${n.person()} <${n.mail()}>`,
  (n) => `data:image/png;base64,${n.base64(120 + n.number())}`,
  (n) => n.lines(5, () => `${n.url()}?${n.list(5, () => `${n.word()}=${encodeURIComponent(n.base64(20))}`).join('&')}`),
  (n) => n.lines(12, () => n.random.pick([n.uuid(), n.hex(40), n.hex(64), n.base64(30)])),
];

/** Pieces of lists and tables, as they are read when strings are joined: short, and without a sentence. */
const FRAGMENTS: readonly Kind[] = [
  (n) => n.words(9),
  (n) => n.list(6, () => n.identifier()).join(' '),
  (n) => n.list(8, () => n.random.pick([n.hex(2), n.word(), n.letters(2), n.letters(1)])).join(' '),
  (n) => n.list(5, () => n.file()).join(', '),
  (n) => n.list(6, () => n.title()).join(' '),
  (n) => `${n.word()}: ${n.identifier()}`,
  (n) => n.list(5, () => `${n.word()}=${n.number()}`).join('&'),
  (n) => n.list(4, () => n.person()).join(', '),
];

const GROUPS: readonly (readonly Kind[])[] = [LISTINGS, DIFFS, REPORTS, RECEIPTS, RECORDS, MARKUP, CODE, FRAGMENTS];
const WORD = /\b[a-z]{3,14}\b/g;

/** The distinct English words of some texts. */
function wordsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(WORD) ?? []))].sort();
}

/** As many outputs as asked for, with words of the texts as names. Some have a sentence of a text in them. */
export function outputs(random: Random, count: number, texts: readonly string[]): Document[] {
  const names = new Names(random, wordsOf(texts));
  return Array.from({ length: count }, (_, index) => {
    const text = random.pick(random.pick(GROUPS))(names);
    const [before, after] = [random.chance(0.15), random.chance(0.1)];
    const sentence = (): string =>
      random
        .pick(texts)
        .split(/(?<=[.!?])\s/)[0]
        ?.slice(0, 200) ?? '';
    return {
      id: `outputs-${index}`,
      source: 'own:outputs',
      text: `${before ? `${sentence()}\n` : ''}${text}${after ? `\n${sentence()}` : ''}`,
      injected: false,
      spans: [],
      lang: 'en',
      channel: 'tool',
    };
  });
}
