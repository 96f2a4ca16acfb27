// The page around the pictures.

const INTRODUCTION = `# One hijack of each kind

An agent reads what strangers wrote, and some of them write to the agent. Here is one example of each common kind, with invented
names, and beside them two harmless errands. Each is played by
[examples/hijacks](../examples/hijacks/main.ts) with the boundary and the classifier as they are installed, under the preset
\`balanced\` and again under \`strict\`; CI runs it. The pictures and this page are drawn from that run by
\`node tools/docs/draw-hijacks.mjs\`: the texts, the marked stretches, the arrows and the verdicts are what the library said.

The model is assumed to have fallen for it: it proposes every call that the text wants. A picture goes from top to bottom: what came in,
with the stretches that the classifier found; what the model then called; an arrow to each value from the place where its words stand;
and the verdict of the gate. A thick border marks the values that the verdict is about. \`allow\` makes the call, \`ask\`
holds it until a person has looked, \`deny\` does not make it. Reading is allowed throughout; what a directed read brings is held
against whoever directed it.

The texts were chosen so that the classifier finds what the story says. It does not find every attack: the
[README](../README.md) has the figures. \`strict\` does not ask it, and holds every effect of which a value has no voucher; so it holds
the hijacks without reading them, and also the errand of somebody whom the user named.
`;

/** The reasons are for people and hold no content, so they can stand here as they are. */
function said({ tool, decision: { outcome, rule, reason } }) {
  return `- \`${tool}\`: **${outcome}**, rule \`${rule}\`. ${reason}`;
}

/** Calls that only read are allowed in every story, and are seen in the picture. */
function effectsOf(events) {
  return events.filter(({ type, effect }) => type === 'call' && effect !== 'read');
}

function section({ scenario, balanced, strict }) {
  return `## ${scenario.title}

${scenario.story}

![${scenario.title}: what came in, what was called, what the gate said](hijacks/${scenario.id}.svg)

The gate, under \`balanced\`:

${effectsOf(balanced).map(said).join('\n')}

Under \`strict\`:

${effectsOf(strict).map(said).join('\n')}
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
