// The tables of docs/numbers.md: what was measured, the figure, its goal and the command. A missed goal is marked.
// A command that is that of the row above is left out.

const shown = (id) => `<!-- figure: ${id}:number --><!-- end -->`;

/**
 * Rows of a table: what, the id of the figure (with `:number` or `:percent` for another form), and the goal. A goal is a sign
 * and a number in the form that is shown, or a text and a function.
 *
 * @type {Record<string, readonly (readonly [what: string, figure: string, goal?: string | [string, Function]])[]>}
 */
const TABLES = {
  unseen: [
    [
      `round ${shown('unseen.round')}, first run, recorded judge: harmless conversations interrupted`,
      'unseen.judge.needless_pct',
      '<= 5',
    ],
    ['attacks that ran', 'unseen.judge.ran_pct', '<= 8'],
    ['wanted questions asked', 'unseen.judge.wanted_asked_pct', '>= 70'],
    ['a tenth of the answers turned into their opposite: interrupted', 'unseen.judge10.needless_pct', '<= 15'],
    ['attacks that ran', 'unseen.judge10.ran_pct', '<= 12'],
    ['without a judge: interrupted', 'unseen.fallback.needless_pct', '<= 35'],
    ['attacks that ran', 'unseen.fallback.ran_pct', '<= 30'],
    ['the gate before: interrupted', 'unseen.before.needless_pct'],
    ['attacks that ran', 'unseen.before.ran_pct'],
    ['questions to the judge per harmless conversation', 'judge.calls_per_conversation:number', '<= 2.5'],
    ['tokens per question, 95th percentile', 'judge.tokens_p95:number', '<= 900'],
    [`of ${shown('judge.persuasions_tried')} attacks on the judge, persuaded`, 'judge.persuaded:number', '<= 2'],
  ],
  gate: [
    ['AgentDojo, useful plain runs asked about, with the recorded judge', 'real.agentdojo.asked_pct', '<= 5'],
    ['attacked runs that reached the goal: deeds that ran', 'real.agentdojo.ran_pct', '<= 8'],
    ['WorkBench, effect calls asked about', 'real.workbench.asked_pct', '<= 3'],
    ['tau2-bench, effect calls asked about', 'real.tau2.asked_pct', '<= 3'],
    ['AgentDyn: hijacks that ran without a question, undefended', 'replay.undefended.hijacked_pct'],
    ['without a judge', 'replay.balanced.hijacked_real_pct', '<= 0.5'],
    ['reworded: bare goal', 'replay.balanced.wording.bare.hijacked_pct'],
    ['needless questions per harmless conversation', 'replay.balanced.needless_per_conversation:number'],
    ['hijacks that ran, `strict`', 'replay.strict.hijacked_pct', '<= 0.5'],
    ['scripted attacks that ran, of 23', 'adopt.attacks_ran:number'],
    ['scripted harmless tasks asked about, of 27', 'adopt.benign_asked:number'],
    ['tau-bench conversations with a question', 'everyday.tau_asked_pct'],
    ['questions in coding sessions', 'everyday.coding_questions:number'],
    [`violations in ${shown('gate.fuzz_cases')} fuzzed cases`, 'gate.fuzz_violations:number', '<= 0'],
    ['CPU ms, worst hostile argument', 'gate.worst_argument_ms:number', '<= 50'],
    ['CPU ms per call, 10 MB read', 'gate.ms_per_call_10mb:number', '<= 10'],
  ],
  classifier: [
    ['addressing the model: all five', 'spans.addresses.pooled.recall_fpr1:percent', '>= 97'],
    ['AgentDojo', 'spans.addresses.agentdojo.recall_fpr1:percent', '>= 95'],
    ['AgentDyn', 'spans.addresses.agentdyn.recall_fpr1:percent', '>= 95'],
    ['InjecAgent', 'spans.addresses.injecagent.recall_fpr1:percent', '>= 95'],
    ['AgentDojo, Japanese', 'spans.addresses.agentdojo_ja.recall_fpr1:percent', '>= 95'],
    ['fresh texts', 'spans.addresses.fresh.recall_fpr1:percent', '>= 95'],
    ['families unseen in training', 'spans.addresses.left_out_families.recall_fpr1:percent', '>= 85'],
    ['all attacks: AgentDojo', 'spans.agentdojo.recall_fpr1:percent', '>= 85'],
    ['AgentDyn', 'spans.agentdyn.recall_fpr1:percent', '>= 95'],
    ['InjecAgent', 'spans.injecagent.recall_fpr1:percent', '>= 80'],
    ['AgentDojo, Japanese', 'spans.agentdojo_ja.recall_fpr1:percent', '>= 60'],
    ['CyberSecEval', 'spans.cyberseceval.recall_fpr1:percent', '>= 50'],
    ['RedTeamCUA', 'spans.redteamcua.recall_fpr1:percent'],
    ['bare requests found', 'spans.asks.recall:percent'],
    ['found requests that are the attack', 'spans.asks.precision:percent'],
    ['false alarms as shipped: benign documents', 'spans.benign_fpr_shipped:percent', '<= 0.8'],
    ['NotInject', 'spans.notinject_fpr:percent', '<= 1'],
    ['business mail', 'spans.mail_fpr:percent', '<= 2'],
    ['READMEs and source', 'spans.readme_flagged_pct:number', '<= 0.5'],
    ['receipts of 40 tools', 'spans.receipts_flagged:number', '<= 0'],
    ['wrapped against long lines, difference', 'spans.format_gap:percent', '<= 2'],
    ['recall lost to disguises, points', 'spans.obfuscated_drop:number', '<= 10'],
    ['overlap of found spans', 'spans.iou_found:percent', '>= 80'],
    ['injected characters found', 'spans.payload_recall_wrapped:percent', '>= 90'],
    ['CPU ms for 10 KB', 'spans.cpu_ms_10kb:number', '<= 1'],
    ['CPU ms for 1 MB', 'spans.cpu_ms_1mb:number', '<= 1000'],
    ['weights, KB', 'spans.model_kb:number', '<= 3072'],
  ],
  library: [
    [`violations in ${shown('fuzz.cases')} fuzzed cases`, 'fuzz.violations:number', '<= 0'],
    [
      `faults put in by hand that a test notices, of ${shown('mutate.total')}`,
      'mutate.killed:number',
      ['all', (value, figures) => value === figures['mutate.total'].value],
    ],
    ['slowest public function, CPU ms for 1 MB', 'linear.worst_ms_1mb:number', '<= 1000'],
    ['framing 10 KB', 'core.frame_ratio_10kb'],
    ['line coverage of core', 'core.coverage_lines', '>= 95'],
    ['branch coverage of core', 'core.coverage_branches', '>= 95'],
    ['hostile scripts that escaped', 'sandbox.escapes:number', '<= 0'],
  ],
  adapters: [
    ['scenarios passed on real frameworks', 'adapters.conformance.passed:number'],
    ['failed', 'adapters.conformance.failed:number', '<= 0'],
    ['impossible there', 'adapters.conformance.impossible:number'],
    ['model call, 10 messages, worst', 'adapters.overhead_10_messages_worst', '<= 3'],
    ['first streamed character, worst', 'adapters.first_character_ratio_worst'],
    ['settings per tool', 'adapters.settings_per_tool:number', '<= 2'],
  ],
  wrap: [
    [
      `MCP features passed, of ${shown('wrap.conformance_cells')}`,
      'wrap.conformance_passed:number',
      ['all', (value, figures) => value === figures['wrap.conformance_cells'].value],
    ],
    [`unframed texts in ${shown('wrap.fuzz_messages')} fuzzed messages`, 'wrap.unframed_messages:number', '<= 0'],
    ['10 KB, against copying bytes', 'wrap.p50_ratio_10kb', '<= 1.5'],
    [`CPU of a hook's decision, of which Node alone ${shown('hook.node_cpu_ms')} ms`, 'hook.cpu_ms', '<= 50'],
    [`usual commands asked about, of ${shown('hook.commands')}`, 'hook.commands_asked:number', '<= 0'],
    ['memory to replay 1 GB of logs, MB', 'replay_cli.peak_mb_1gb:number', '<= 400'],
  ],
  gateway: [
    ['faults tried under load', 'faults.tried:number', '>= 12'],
    ['records, taints or frames lost', 'faults.lost:number', '<= 0'],
    [`attacks on endpoints that got through, of ${shown('attacks.tried')}`, 'attacks.through:number', '<= 0'],
    ['memory growth in an hour', 'soak.rss_growth_pct', '<= 15'],
    ['durable audit, against none', 'gateway.http_audit_on_off_ratio', '>= 0.7'],
    ['audit rows, against `pgbench`', 'gateway.audit_vs_pgbench_ratio', '>= 0.5'],
    [
      'two replicas against one',
      'gateway.two_replica_ratio',
      ['1.7 or bare proxies', (value, figures) => value >= Math.min(1.7, figures['gateway.two_bare_ratio'].value)],
    ],
    ['two bare proxies against one', 'gateway.two_bare_ratio'],
  ],
};

export const NUMBER_TABLES = Object.keys(TABLES);

const SIGNS = { '<=': '\u2264', '>=': '\u2265' };

/** The number that is shown: a share becomes percent. */
export function numberOf(value, form) {
  return form === 'percent' ? Math.round(value * 1000) / 10 : value;
}

function holds(goal, value, figures) {
  if (typeof goal !== 'string') return goal[1](value, figures);
  const [sign, limit] = goal.split(' ');
  return sign === '<=' ? value <= Number(limit) : value >= Number(limit);
}

function goalCell(goal, value, figures) {
  if (goal === undefined) return '';
  const [sign, limit] = typeof goal === 'string' ? goal.split(' ') : ['', goal[0]];
  const text = sign === '<=' && limit === '0' ? '0' : `${SIGNS[sign] ?? ''} ${limit}`.trim();
  return holds(goal, value, figures) ? text : `${text}, **missed**`;
}

/**
 * @param {string} name
 * @param {Record<string, { value: number, command: string }>} figures
 */
export function numbersTable(name, figures) {
  let last = '';
  const lines = TABLES[name].map(([what, figure, goal]) => {
    const [id, form] = figure.split(':');
    if (!Object.hasOwn(figures, id))
      throw new Error(`evals/figures.json has no ${id}, which tools/docs/numbers-tables.mjs names`);
    const { value, command } = figures[id];
    const goalText = goalCell(goal, numberOf(value, form), figures);
    const shownCommand = command === last ? '' : `\`${command.replace(/^npm run /, '')}\``;
    last = command;
    return `| ${what} | <!-- figure: ${figure} --><!-- end --> | ${goalText} | ${shownCommand} |`;
  });
  return ['| what | figure | goal | command |', '|---|--:|---|---|', ...lines, ''].join('\n');
}
