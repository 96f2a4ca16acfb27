// The Markdown page that contains the pictures.

const INTRODUCTION = `# One hijack of each kind

An agent reads texts that strangers wrote, and some of these texts address the agent. This page shows one example of each common
kind, with invented names, and two harmless tasks. [examples/hijacks](../examples/hijacks/main.ts) runs each of them with the boundary
and the classifier as they are installed, under the preset \`balanced\` and again under \`strict\`; CI runs it.
\`node tools/docs/draw-hijacks.mjs\` draws the pictures and this page from that run: the texts, the marked spans, the arrows and the
decisions are the library's own output.

The model is assumed to be hijacked: it makes every call that the text asks for. Read a picture from top to bottom: what the model
reads, with the spans that the classifier found; what the model then calls, with an arrow to each value from the place where its
words occur; and the decision of the gate. A thick border marks the values that the decision is about. \`allow\` makes the call, \`ask\`
holds it until a person has decided, \`deny\` does not make it. Reads are always allowed; the result of a read that content asked for is
trusted no more than that content.

The texts were chosen so that the classifier finds the attack. It does not find every attack: the
[README](../README.md) has the figures. \`strict\` does not use it, and holds every effect with a value that no trusted party vouches
for. So it holds the hijacks without reading them, and it also holds the request of a person whom the user named.
`;

/** A reason contains no content of others, so it is printed unchanged. */
function decisionLine({ tool, decision: { outcome, rule, reason } }) {
  return `- \`${tool}\`: **${outcome}**, rule \`${rule}\`. ${reason}`;
}

/** Without reads, which are allowed in every scenario and appear only in the picture. */
function effectsOf(events) {
  return events.filter(({ type, effect }) => type === 'call' && effect !== 'read');
}

function section({ scenario, balanced, strict }) {
  return `## ${scenario.title}

${scenario.story}

![${scenario.title}: what the model reads, what it calls, what the gate decides](hijacks/${scenario.id}.svg)

The gate, under \`balanced\`:

${effectsOf(balanced).map(decisionLine).join('\n')}

Under \`strict\`:

${effectsOf(strict).map(decisionLine).join('\n')}
`;
}

function tableRow({ scenario, balanced, strict }) {
  const verdicts = (events) =>
    effectsOf(events)
      .map(({ decision: { outcome, rule } }) => `${outcome} (\`${rule}\`)`)
      .join(', ');
  const anchor = scenario.title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  return `| [${scenario.title}](#${anchor}) | ${verdicts(balanced)} | ${verdicts(strict)} |`;
}

/** @returns {string} the Markdown of docs/hijacks.md */
export function writePage(runs) {
  const table = ['| what happens | balanced | strict |', '|---|---|---|', ...runs.map(tableRow)].join('\n');
  const sections = runs.map(section);
  return [INTRODUCTION, `${table}\n`, ...sections].join('\n');
}
