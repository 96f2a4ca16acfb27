import type { operations } from '../../api/schema.ts';

type AuditQuery = NonNullable<operations['searchAudit']['parameters']['query']>;

/** The search, in the address of the page. `from` and `to` are days, such as 2026-11-18. */
export type AuditFilter = Readonly<Partial<Record<(typeof MEMBERS)[number], string>>>;

const MEMBERS = ['person', 'server', 'tool', 'rule', 'outcome', 'type', 'from', 'to'] as const;

export const OUTCOMES: readonly NonNullable<AuditQuery['outcome']>[] = ['allow', 'ask', 'deny'];

export const TYPES: readonly NonNullable<AuditQuery['type']>[] = [
  'call',
  'answer',
  'approval',
  'pin',
  'policy',
  'key',
  'login',
  'server',
  'webhook',
  'conversation',
  'access',
  'submission',
  'endorsement',
  'threshold',
];

const DAY = /^\d{4}-\d\d-\d\d$/;
const MAX_LENGTH = 2000;

/** A wrong value of these is left out. The gateway refuses other wrong values, and says so. */
const CHECKS: Readonly<Partial<Record<keyof AuditFilter, (text: string) => boolean>>> = {
  outcome: (text) => OUTCOMES.some((each) => each === text),
  type: (text) => TYPES.some((each) => each === text),
  from: (text) => DAY.test(text) && !Number.isNaN(Date.parse(text)),
  to: (text) => DAY.test(text) && !Number.isNaN(Date.parse(text)),
};

/** The filter in an address or a form. */
export function auditFilterIn(given: Readonly<Record<string, unknown>>): AuditFilter {
  const found = MEMBERS.flatMap((name) => {
    // The router reads a number in the address as one.
    const value = typeof given[name] === 'number' ? String(given[name]) : given[name];
    const text = typeof value === 'string' ? value.trim().slice(0, MAX_LENGTH) : '';
    return text !== '' && (CHECKS[name]?.(text) ?? true) ? [[name, text] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The beginning of a day where the person is. */
function beginningOf(day: string, plus = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + plus).toISOString();
}

/** The filter as the gateway takes it. The last day is part of the search. */
export function queryOf({ from, to, ...others }: AuditFilter): AuditQuery {
  return {
    ...(others as AuditQuery),
    ...(from === undefined ? {} : { from: beginningOf(from) }),
    ...(to === undefined ? {} : { to: beginningOf(to, 1) }),
  };
}
