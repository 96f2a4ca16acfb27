// Counts what a fault has lost: it must be nothing.
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { verifyAudit } from '../src/store/audit/verify.ts';
import { auditKeysOf } from '../src/store/links.ts';
import type { Load } from './drive.ts';
import type { Stage } from './stage.ts';

interface Line {
  readonly type: string;
  readonly tool?: string;
  readonly arguments?: string;
  readonly outcome?: string;
}

const MAX_TRIED = 300;

async function auditOf(stage: Stage): Promise<readonly Line[]> {
  const rows = await stage.database.inWorkspace(
    stage.workspace,
    (sql) => sql<{ payload: string }[]>`select payload from audit where workspace_id = ${stage.workspace} order by seq`,
  );
  return rows.map(({ payload }) => JSON.parse(payload) as Line);
}

/** Counts answered calls without an audit record, effects without a decision, and reads that are missing in the log. */
export async function losses(stage: Stage, load: Load): Promise<readonly string[]> {
  const problems = [...load.problems];
  const tried = load.tainted.toSorted(() => Math.random() - 0.5).slice(0, MAX_TRIED);
  for (const { conversation, to } of tried) {
    const { type, text } = await load.callUntilAnswered(conversation, 'send', { to });
    if (type !== 'refused') problems.push(`${conversation}: the taint was forgotten: ${type} ${text.slice(0, 100)}`);
  }
  const lines = await auditOf(stage);
  const calls = lines.filter(({ type }) => type === 'call');
  const decided = new Set(calls.map(({ tool, arguments: given }) => `${tool} ${given}`));
  const allowed = new Set(
    calls.filter(({ outcome }) => outcome === 'allow').map((each) => `${each.tool} ${each.arguments}`),
  );
  for (const { tool, digest } of load.answered)
    if (!decided.has(`mail.${tool} ${digest}`)) problems.push(`an answered call of ${tool} has no record`);
  for (const to of stage.sent) {
    if (to.startsWith('eve')) problems.push(`sent to ${to}`);
    if (!allowed.has(`mail.send ${digestText(canonicalJson({ to }))}`)) problems.push(`sent to ${to} without a record`);
  }
  // Each result that was shown must be in the log of its conversation.
  const answers = lines.filter(({ type }) => type === 'answer').length;
  const shown = load.answered.filter(({ type }) => type === 'framed').length;
  if (answers < shown) problems.push(`${shown} answers were shown, ${answers} are written down`);
  const report = await verifyAudit(stage.database, stage.workspace, {
    keys: auditKeysOf(stage.config.keysFor('audit')),
  });
  if (!report.isWhole) problems.push(`the audit is not whole: ${report.problem} at ${report.seq}`);
  return problems;
}
