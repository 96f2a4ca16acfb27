import type { LastingApprovals } from '../approve/lasting-approvals.ts';
import type { LogEntry } from '../log/entry.ts';
import { approvedTool } from '../tool-name.ts';
import { UiProblem } from './problem.ts';

const MAX_LISTED = 1000;

function answeredCall(entry: LogEntry, principal: string) {
  const {
    id = '',
    time,
    type,
    server,
    tool = '',
    arguments: given = '{}',
    rule = '',
    reason = '',
    evidence = [],
  } = entry;
  const question = {
    ...{ server, conversation: '', tool, arguments: given, rule, reason, scopes: [] },
    evidence: evidence.map(({ path = '', source, ...excerpt }) => ({ path, ...(source && { source }), excerpt })),
  };
  const answer = type === 'approved' ? 'approved' : 'denied';
  return { id, question, principal, askedAt: time, until: time, answer, answeredBy: principal, answeredAt: time };
}

/** The calls that the user has answered, by the log: the last answer first. */
export function answeredCalls(entries: readonly LogEntry[], principal: string): unknown {
  const answered = entries.filter(({ type }) => type === 'approved' || type === 'declined').toReversed();
  return { approvals: answered.slice(0, MAX_LISTED).map((each) => answeredCall(each, principal)) };
}

/** The calls that are always approved, as the gateway lists it. */
export function lastingCalls(lasting: LastingApprovals, principal: string): unknown {
  const now = Date.now();
  const valid = lasting.all().filter(({ until }) => until === undefined || until > now);
  const approvals = valid.map(({ id, tool, owner = '', values, rule, cell, conversation, by, created, until }) => {
    const [server, name] = approvedTool(owner, tool);
    const given = JSON.stringify(Object.fromEntries(values.map(({ path, value }) => [path.slice(1), value])));
    return {
      id,
      principal,
      call: { server, conversation, tool: name, arguments: given, rule, ...(cell !== undefined && { cell }) },
      scope: 'always',
      givenBy: by,
      givenAt: new Date(created).toISOString(),
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    };
  });
  return { approvals };
}

/** Ends an approval: the next such call is held again. */
export function revokeLasting(lasting: LastingApprovals, id: string): undefined {
  if (!lasting.revoke(id))
    throw new UiProblem(404, 'This approval does not apply any more.', 'Load the page again to see what applies.');
  return undefined;
}
