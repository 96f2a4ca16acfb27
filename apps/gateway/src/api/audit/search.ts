import type { Outcome } from '@sallyport/core';
import { OUTCOMES } from '@sallyport/core/stages';
import type { AuditEvent } from '../../store/audit/audit.ts';
import { AUDIT_TYPES, type FoundRow, searchAudit } from '../../store/audit/search.ts';
import type { Database } from '../../store/database.ts';
import { CONVERSATION_ID, idOf } from '../recorded.ts';
import { RequestError } from '../route/problem.ts';
import { listOf, NAME, objectOf, type Route, route, type Schema, TEXT, TIME } from '../route/route.ts';

const SEQ: Schema = { type: 'integer', minimum: 0 };
/** An agent's own text may be long, and have any characters. */
const WORD: Schema = { type: 'string', minLength: 1, maxLength: 2000 };
const DEFAULT_ROWS = '50';

const ROW = objectOf({
  seq: SEQ,
  at: TIME,
  type: TEXT,
  event: {
    type: 'object',
    additionalProperties: true,
    description: 'The event as it was written. Names of tools and notes are untrusted.',
  },
  'conversation?': { ...CONVERSATION_ID, description: 'The conversation of the call, which may be forgotten by now.' },
});

function timeIn(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new RequestError(422, `The query parameter ${name} is not valid.`);
  return time;
}

/** A call without a name of its conversation has that of its principal. */
function conversationIn({ principal, conversation, type }: FoundRow['event']): { conversation?: string } {
  const isCall = type === 'call' || type === 'answer';
  if (!isCall || typeof principal !== 'string' || typeof conversation !== 'string') return {};
  return {
    conversation: idOf({ principal, conversation: conversation === principal ? undefined : conversation }),
  };
}

/** Search in the audit of the workspace. */
export function searchRoutes({ database }: { readonly database: Database }): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/audit/events',
      name: 'searchAudit',
      summary: 'Searches the audit, newest first. All parameters that are given must match',
      scope: 'audit',
      query: {
        person: { ...WORD, description: 'Who did it, whose call it was, or to whom it was done.' },
        server: NAME,
        tool: WORD,
        rule: WORD,
        outcome: { enum: OUTCOMES },
        type: { enum: AUDIT_TYPES },
        from: TIME,
        to: { ...TIME, description: 'Rows of this time and later are left out.' },
        before: { type: 'string', pattern: '^[0-9]{1,15}$', description: 'The `next` of the page before.' },
        limit: { type: 'string', pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$', description: 'At most 200. Default: 50.' },
      },
      answer: {
        status: 200,
        description: 'A page of rows. Without `next` it is the last one',
        schema: objectOf({ rows: listOf(ROW), 'next?': SEQ }),
      },
      async handle({ caller: { workspace }, query }) {
        const { person, server, tool, rule, outcome, type, before, limit = DEFAULT_ROWS } = query;
        const most = Number(limit);
        const found = await searchAudit(database, workspace, {
          ...{ person, server, tool, rule },
          outcome: outcome as Outcome | undefined,
          type: type as AuditEvent['type'] | undefined,
          from: timeIn('from', query.from),
          to: timeIn('to', query.to),
          before: before === undefined ? undefined : Number(before),
          limit: most,
        });
        const rows = found.map((row) => ({
          ...row,
          type: typeof row.event.type === 'string' ? row.event.type : '',
          ...conversationIn(row.event),
        }));
        return { rows, ...(found.length < most ? {} : { next: found.at(-1)?.seq }) };
      },
    }),
  ];
}
