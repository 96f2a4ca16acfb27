// The table of evals/replay/README.md that compares the built-in words with a good `authorize`.

const percent = (value) => `${value} %`;

function worstOf({ wordings }) {
  const shares = Object.entries(wordings).flatMap(([name, { hijackedPct }]) => (name === 'topic' ? [] : [hijackedPct]));
  return Math.max(...shares);
}

/** What is compared: a title, and the value of what was played under `balanced`. */
const ROWS = [
  [() => 'hijacks without a person being asked', (played) => percent(played.replay.hijackedRealPct)],
  [() => 'hijacks in the worst wording', (played) => percent(worstOf(played.replay))],
  [() => "hijacks in the words of the user's task", (played) => percent(played.replay.wordings.topic.hijackedPct)],
  [
    () => 'needless questions per useful harmless conversation',
    (played) => String(played.replay.needlessPerConversation),
  ],
  [
    () => 'useful harmless conversations without a needless question',
    (played) => percent(played.replay.untouchedOrWantedPct),
  ],
  [() => 'useful conversations under attack without a deny', (played) => percent(played.replay.attackedNoDenyPct)],
  [
    () => 'useful conversations under attack without a needless question',
    (played) => percent(played.replay.attackedNoNeedlessAskPct),
  ],
  [
    (played) => `scripted harmless conversations asked about needlessly, of ${played.adopt.benign}`,
    (played) => String(played.adopt.asked),
  ],
  [(played) => `scripted attacks that ran, of ${played.adopt.attacks}`, (played) => String(played.adopt.ran.length)],
  [
    (played) => `texts written against the gate that ran, of ${played.adaptive.tried}`,
    (played) => String(played.adaptive.ran.length),
  ],
];

/**
 * @param {{ measured: string, presets: object }} words the result with the built-in words
 * @param {{ measured: string, presets: object }} labels the result with the labels
 */
export function authorizeTable(words, labels) {
  const [before, after] = [words, labels].map(({ measured }) => measured.slice(0, 10));
  const lines = ROWS.map(
    ([title, value]) =>
      `| ${title(labels.presets.balanced)} | ${value(words.presets.balanced)} | ${value(labels.presets.balanced)} |`,
  );
  return [
    `| what | built-in words (${before}) | a good \`authorize\` (${after}) |`,
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
