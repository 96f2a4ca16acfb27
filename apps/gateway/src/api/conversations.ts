import { EFFECTS, OUTCOMES, TRUST_CLASSES } from '@sallyport/core/stages';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { viewSource } from '../operate/dry-run-source.ts';
import { viewConversation } from '../serve/replay/view.ts';
import type { ViewEntry } from '../serve/replay/view-messages.ts';
import { recordAudit } from '../store/audit/audit.ts';
import { type Corrections, decisionDigest } from '../store/policy/corrections.ts';
import { type Findings, VERDICTS, type Verdict } from '../store/policy/findings.ts';
import { type RecordedConversation, recordedConversations } from '../store/policy/recorded.ts';
import type { Caller } from '../store/secrets/keys.ts';
import { principalFor, SCOPES_OF_PEOPLE } from './approvals.ts';
import type { DryRunOptions } from './dry-run.ts';
import { CONVERSATION_ID, conversationFor, idOf } from './recorded.ts';
import { LineStream } from './route/lines.ts';
import { BusyError } from './route/problem.ts';
import { LINE, listOf, objectOf, type Route, type RouteAnswer, route, type Schema, TEXT, TIME } from './route/route.ts';

export interface ConversationRouteOptions extends DryRunOptions {
  readonly findings: Findings;
  readonly corrections: Corrections;
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  readonly onError: (cause: unknown) => void;
}

const HOURS: Schema = { type: 'string', pattern: '^[0-9]{1,4}$', description: 'How far back. Default: 24.' };
const DEFAULT_HOURS = '24';
const HOUR = 3_600_000;
const COUNT: Schema = { type: 'integer', minimum: 0 };

const LISTED = objectOf({
  id: CONVERSATION_ID,
  principal: LINE,
  'name?': { ...TEXT, description: 'What the client calls it. Absent: calls of clients that name no conversation.' },
  from: TIME,
  to: TIME,
  entries: { ...COUNT, description: 'Answers and calls in that time.' },
});

const OUTCOME: Schema = { enum: OUTCOMES };
const VERDICT = { outcome: OUTCOME, rule: TEXT, 'cell?': TEXT };
const SAID: Schema = { enum: VERDICTS, description: 'What the caller has said of it.' };
const SPAN = objectOf({
  start: COUNT,
  end: COUNT,
  tag: TEXT,
  likelihood: TEXT,
  'finding?': { ...TEXT, description: 'The id of its finding, for a verdict. Absent: none is stored.' },
  'said?': SAID,
});
const PLACE = objectOf({ entry: TEXT, start: COUNT, end: COUNT });
const VALUE = objectOf({ path: TEXT, value: TEXT, trust: { enum: TRUST_CLASSES }, 'place?': PLACE });
const ENTRY: Schema = {
  oneOf: [
    objectOf({
      type: { const: 'text' },
      id: TEXT,
      'at?': TIME,
      origin: { enum: ['system', 'user', 'external', 'memory', 'model'] },
      'name?': TEXT,
      text: TEXT,
      spans: listOf(SPAN),
      'isUnframed?': { const: true },
    }),
    objectOf({
      type: { const: 'call' },
      id: TEXT,
      'at?': TIME,
      server: TEXT,
      tool: TEXT,
      'effect?': { enum: EFFECTS },
      arguments: TEXT,
      'wasMade?': { type: 'boolean' },
      ...VERDICT,
      reason: TEXT,
      values: listOf(VALUE),
      'said?': SAID,
      'proposed?': objectOf(VERDICT),
    }),
    objectOf({ type: { const: 'end' }, entries: COUNT, isCut: { type: 'boolean' } }),
  ],
};

const ANSWER: RouteAnswer = {
  status: 200,
  description: 'One entry per line, in order. Without the last line, `end`, it is incomplete. The texts are untrusted',
  type: 'application/jsonl',
  schema: ENTRY,
};

/** Views that one workspace may have open at a replica. Each has a thread. */
const MAX_VIEWS = 2;
/** The caller's verdicts on spans, by the id of their finding, and on calls, by their digest. */
interface Said {
  readonly findings: ReadonlyMap<string, Verdict | undefined>;
  readonly decisions: ReadonlyMap<string, Verdict>;
}

/** Without ids of findings that are not stored: nothing can be said of these. */
function lineOf(entry: ViewEntry, conversation: RecordedConversation, { findings, decisions }: Said): string {
  const at = new Date(entry.at).toISOString();
  if (entry.type === 'call')
    return JSON.stringify({ ...entry, at, said: decisions.get(decisionDigest(conversation, entry.id)) });
  const spans = entry.spans.map(({ finding = '', ...span }) =>
    findings.has(finding) ? { ...span, finding, said: findings.get(finding) } : span,
  );
  return JSON.stringify({ ...entry, spans, at, origin: 'external' });
}

/** Routes for the texts and calls of principals, with the places that the values of calls come from. */
export function conversationRoutes(options: ConversationRouteOptions): readonly Route[] {
  const { database, findings, corrections, ownClassifier, track, onError } = options;
  const open = new ConcurrencyLimit(MAX_VIEWS);

  /** Records who looked at the conversation of another principal. */
  async function recordLook({ workspace, principal: by }: Caller, { principal }: RecordedConversation): Promise<void> {
    if (principal === by) return;
    await database.inWorkspace(workspace, (sql) =>
      recordAudit(database, sql, workspace, { type: 'conversation', what: 'read', principal, by }),
    );
  }

  async function show(caller: Caller, id: string, proposed?: unknown): Promise<Response> {
    const { workspace, principal: by } = caller;
    const conversation = await conversationFor(database, caller, id);
    const { principal } = conversation;
    const leave = open.enter(workspace);
    if (leave === undefined) throw new BusyError(`The workspace has ${MAX_VIEWS} open conversations at this replica.`);
    try {
      const source = await viewSource(options, workspace, conversation, proposed);
      await recordLook(caller, conversation);
      const said = {
        findings: await findings.saidOf(workspace, principal, by),
        decisions: await corrections.saidOfDecisions(workspace, principal, by),
      };
      const lines = new LineStream();
      let entries = 0;
      const receive = async (entry: ViewEntry): Promise<boolean> => {
        entries++;
        await lines.write(lineOf(entry, conversation, said));
        return true;
      };
      const written = viewConversation(source, receive, ownClassifier)
        .then((isCut) => lines.write(JSON.stringify({ type: 'end', entries, isCut })))
        .then(() => lines.end())
        .catch((cause: unknown) => {
          onError(cause);
          lines.fail();
        });
      void track(written.finally(leave));
      return new Response(lines.body, { headers: { 'content-type': 'application/jsonl' } });
    } catch (cause) {
      leave();
      throw cause;
    }
  }

  return [
    route({
      method: 'get',
      path: '/conversations',
      name: 'listConversations',
      summary:
        "Lists conversations of the caller's principal, the latest first; with the scope approve:any, those of everyone",
      scope: SCOPES_OF_PEOPLE,
      query: { hours: HOURS },
      answer: {
        status: 200,
        description: 'At most 1000 conversations',
        schema: objectOf({ conversations: listOf(LISTED) }),
      },
      async handle({ caller, query: { hours = DEFAULT_HOURS } }) {
        const since = new Date(Date.now() - Number(hours) * HOUR);
        const found = await recordedConversations(database, caller.workspace, since, principalFor(caller));
        return {
          conversations: found.map(({ principal, conversation, ...rest }) => ({
            id: idOf({ principal, conversation }),
            principal,
            ...(conversation === undefined ? {} : { name: conversation }),
            ...rest,
          })),
        };
      },
    }),
    route({
      method: 'get',
      path: '/conversations/{id}',
      name: 'readConversation',
      summary:
        'Shows what was read and called, where the values of calls come from, and what the policy says about each call now. A look at what another principal read is in the audit',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: CONVERSATION_ID },
      answer: ANSWER,
      handle: ({ caller, parameters: { id = '' } }) => show(caller, id),
    }),
    route<{ body: unknown }>({
      method: 'post',
      path: '/conversations/{id}/dry-run',
      name: 'tryConversation',
      summary: 'Shows a conversation, with what another policy would have decided. Nothing is changed',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: CONVERSATION_ID },
      body: objectOf({ body: { type: 'object' } }),
      answer: ANSWER,
      handle: ({ caller, parameters: { id = '' }, body }) => show(caller, id, body.body),
    }),
  ];
}
