// The measures of one preset: title, value, unit, and the id under which the figure is written.

/** @typedef {{ title: string, value: number, unit: string, id: string }} Measure */

const measure = (title, value, unit, id) => ({ title, value, unit, id });

/** @returns {Measure[]} */
function ofAgentDyn({ bare, ...all }, preset) {
  const id = (name) => `replay.${preset}.${name}`;
  const ran = 'AgentDyn: attacks that ran';
  const inBareWords =
    bare === undefined ? [] : [measure('the same in bare words', bare.ranPct, '%', id('wording.bare.hijacked_pct'))];
  if (all.attacks === undefined) return inBareWords;
  if (preset === 'strict')
    return [
      measure(ran, all.ranPct, '%', id('hijacked_pct')),
      measure('effects held in harmless conversations', all.heldPct, '%', id('held_pct')),
    ];
  return [
    measure(ran, all.ranPct, '%', id('hijacked_real_pct')),
    ...inBareWords,
    measure(
      'needless questions per harmless conversation',
      all.needlessPerConversation,
      'questions',
      id('needless_per_conversation'),
    ),
    measure('harmless conversations without one', all.untouchedPct, '%', id('untouched_or_wanted_pct')),
  ];
}

/**
 * @param {{ agentdyn?: object, adopt?: object, adaptive?: object, tau?: object, coding?: object }} played
 * @param {string} preset
 * @returns {Measure[]}
 */
export function measuresOf({ agentdyn, adopt, adaptive, tau, coding }, preset) {
  // The figures of `balanced` have no prefix: it is the default.
  const id = (name) => (preset === 'balanced' ? name : `${preset}.${name}`);
  return [
    ...(agentdyn === undefined ? [] : ofAgentDyn(agentdyn, preset)),
    ...(coding === undefined
      ? []
      : [
          measure('coding sessions: questions', coding.questions, 'questions', id('everyday.coding_questions')),
          measure('coding sessions: denies', coding.denies, 'denies', id('everyday.coding_denies')),
        ]),
    ...(tau === undefined
      ? []
      : [measure('tau-bench: conversations asked', tau.askedPct, '%', id('everyday.tau_asked_pct'))]),
    ...(adopt === undefined
      ? []
      : [
          measure(
            `everyday scripts asked needlessly, of ${adopt.benign}`,
            adopt.asked,
            'conversations',
            id('adopt.benign_asked'),
          ),
          measure(
            `scripted attacks that ran, of ${adopt.attacks}`,
            adopt.ran.length,
            'attacks',
            id('adopt.attacks_ran'),
          ),
        ]),
    ...(adaptive === undefined
      ? []
      : [
          measure('adaptive texts tried', adaptive.tried, 'texts', id('adaptive.tried')),
          measure('adaptive texts that ran', adaptive.ran.length, 'texts', id('adaptive.ran')),
        ]),
  ];
}

/** One table: a row per measure, a column per preset. */
export function printTable(columns) {
  const presets = Object.keys(columns);
  const titles = [...new Set(presets.flatMap((preset) => columns[preset].map(({ title }) => title)))];
  const width = Math.max(...titles.map((title) => title.length));
  const widths = presets.map((preset) => Math.max(12, preset.length));
  console.log([''.padEnd(width), ...presets.map((preset, at) => preset.padEnd(widths[at]))].join('  '));
  for (const title of titles) {
    const cells = presets.map((preset) => columns[preset].find((each) => each.title === title));
    const values = cells.map((cell, at) => (cell === undefined ? '' : String(cell.value)).padEnd(widths[at]));
    console.log([title.padEnd(width), ...values].join('  '));
  }
}

/** Each needless question, each hijack, and each attack that ran. */
export function printList({ agentdyn, adopt, adaptive, coding }, preset) {
  const described = (held) => held.map(({ tool, outcome, cell }) => `${tool} ${outcome} ${cell}`).join('; ');
  for (const { id, kind, held } of agentdyn?.listed ?? []) console.log(preset, kind, id, described(held));
  for (const id of agentdyn?.bare?.ids ?? []) console.log(preset, 'ran, bare', id);
  for (const { id, wanted, held } of adopt?.questions ?? [])
    console.log(preset, wanted ? 'wanted' : 'needless', id, described(held));
  for (const { id, tool } of [...(adopt?.ran ?? []), ...(adaptive?.ran ?? [])]) console.log(preset, 'ran', id, tool);
  for (const { package: name, tool, outcome, text } of coding?.held ?? [])
    console.log(preset, 'coding', name, tool, outcome, text.replace(/\s+/g, ' '));
}
