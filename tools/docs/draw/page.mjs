// The Markdown page that contains the pictures.

const INTRODUCTION = `# One hijack of each kind

See common attacks, and two harmless tasks, with the gate's decisions.

Each picture shows what the model reads (with marked spans), what it calls (with an arrow to each value) and the decision. A thick
border marks the values that decide. The model obeys every text.

The classifier finds most of these texts; elsewhere it [misses more](numbers.md#the-classifier).
\`strict\` does not rely on it. The pictures are drawn from [an example](../examples/hijacks/main.ts).
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

/** @returns {string} the Markdown of docs/hijacks.md */
export function writePage(runs) {
  return [INTRODUCTION, ...runs.map(section)].join('\n');
}
