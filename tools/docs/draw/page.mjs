// The Markdown page that contains the pictures.

const INTRODUCTION = `# One hijack of each kind

This page shows common attacks, and two harmless tasks, with the gate's decisions.

Read a picture from top to bottom: what the model reads, with the marked spans; what it calls, with an arrow to each value from where it
occurs; and the decision. A thick border marks the values that decide. The model obeys every text.

The texts were chosen so that the classifier finds most attacks. It does not find all of them: [the numbers](numbers.md#the-classifier) say how many.
\`strict\` does not need it, and also holds the request of a named person. The page is drawn from a run of [the example](../examples/hijacks/main.ts).
`;

/** A reason contains no content of others, so it is printed unchanged. */
function decisionLine(preset, { tool, decision: { outcome, rule, reason } }) {
  return `${preset.padEnd(8)}  ${tool}  ${outcome} (${rule})\n    ${reason}`;
}

/** Without reads, which are allowed in every scenario and appear only in the picture. */
function effectsOf(events) {
  return events.filter(({ type, effect }) => type === 'call' && effect !== 'read');
}

function section({ scenario, balanced, strict }) {
  const lines = [
    ...effectsOf(balanced).map((event) => decisionLine('balanced', event)),
    ...effectsOf(strict).map((event) => decisionLine('strict', event)),
  ];
  return `## ${scenario.title}

${scenario.story}

![${scenario.title}](hijacks/${scenario.id}.svg)

\`\`\`
${lines.join('\n')}
\`\`\`
`;
}

function tableRow({ scenario, balanced, strict }) {
  const verdicts = (events) =>
    effectsOf(events)
      .map(({ decision: { outcome, rule } }) => `\`${outcome} ${rule}\``)
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
