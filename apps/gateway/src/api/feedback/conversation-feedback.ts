import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import { viewSource } from '../../operate/dry-run-source.ts';
import { viewConversation } from '../../serve/replay/view.ts';
import type { ViewEntry, ViewText } from '../../serve/replay/view-messages.ts';
import { StoreError } from '../../store/errors.ts';
import type { Corrections } from '../../store/policy/corrections.ts';
import { spanDigest, VERDICTS, type Verdict } from '../../store/policy/findings.ts';
import type { RecordedConversation, ViewSource } from '../../store/policy/recorded.ts';
import type { Caller } from '../../store/secrets/keys.ts';
import { SCOPES_OF_PEOPLE } from '../approvals.ts';
import type { DryRunOptions } from '../dry-run.ts';
import { CONVERSATION_ID, conversationFor } from '../recorded.ts';
import { BusyError } from '../route/problem.ts';
import { objectOf, type Route, route, type Schema } from '../route/route.ts';
import { keepsText } from './findings.ts';

export interface ConversationFeedbackOptions extends DryRunOptions {
  readonly corrections: Corrections;
}

const ENTRY_ID: Schema = { type: 'string', minLength: 1, maxLength: 4000 };
const OFFSET: Schema = { type: 'integer', minimum: 0 };
/** Entries that one workspace may look for at a replica at once. Each look has a thread. */
const MAX_LOOKS = 2;
const MAX_SPANS = 20;

/** The same conversation with every span that the classifier finds, as if no threshold had been raised. */
function withoutThresholds({ active: { policy }, ...source }: ViewSource): ViewSource {
  const { thresholds: _, ...rest } = policy;
  return { ...source, active: { policy: rest, raised: [] } };
}

/** The server and the tool that said a text. */
function speakerOf({ name }: ViewText): { readonly server: string; readonly tool?: string } {
  const at = name.indexOf('.');
  return at < 0 ? { server: name } : { server: name.slice(0, at), tool: name.slice(at + 1) };
}

/** Routes for verdicts on words and calls of a conversation. Both are looked up in the log: callers only name them. */
export function conversationFeedbackRoutes(options: ConversationFeedbackOptions): readonly Route[] {
  const { database, policies, corrections, ownClassifier } = options;
  const looks = new ConcurrencyLimit(MAX_LOOKS);

  async function look<Type extends ViewEntry['type']>(
    { workspace }: Caller,
    conversation: RecordedConversation,
    type: Type,
    id: string,
  ): Promise<Extract<ViewEntry, { type: Type }>> {
    const leave = looks.enter(workspace);
    if (leave === undefined) throw new BusyError('Other corrections of the workspace are being stored.');
    try {
      const source = await viewSource(options, workspace, conversation);
      let found: ViewEntry | undefined;
      const receive = async (entry: ViewEntry): Promise<boolean> => {
        if (entry.type === type && entry.id === id) found = entry;
        return found === undefined;
      };
      await viewConversation(type === 'text' ? withoutThresholds(source) : source, receive, ownClassifier);
      if (found === undefined) throw new StoreError('missing', 'The conversation has no entry of that id.');
      return found as Extract<ViewEntry, { type: Type }>;
    } finally {
      leave();
    }
  }

  return [
    route<{ entry: string; start: number; end: number }>({
      method: 'post',
      path: '/conversations/{id}/passages',
      name: 'reportPassage',
      summary:
        'Reports words of a conversation as an attack, marked or not. Offsets are UTF-16. Spans in them count as attacks, so that no threshold can be raised above them',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: CONVERSATION_ID },
      body: objectOf({ entry: ENTRY_ID, start: OFFSET, end: OFFSET }),
      answer: { status: 204, description: 'The report was stored' },
      async handle({ caller, parameters: { id = '' }, body: { entry, start, end } }) {
        const { workspace, principal } = caller;
        const text = await look(caller, await conversationFor(database, caller, id), 'text', entry);
        if (start >= end || end > text.text.length)
          throw new StoreError('invalid', '`start` and `end` must be the bounds of words in the text.');
        const spans = text.spans.flatMap(({ likelihood, tag, ...span }) => {
          if (likelihood === 'none' || span.start >= end || span.end <= start) return [];
          const words = text.text.slice(span.start, span.end);
          return [{ tag, likelihood, digest: spanDigest(words), text: words }];
        });
        const passage = { ...speakerOf(text), text: text.text.slice(start, end), spans: spans.slice(0, MAX_SPANS) };
        const kept = await keepsText(policies, workspace);
        await corrections.recordPassage(workspace, { ...passage, keepsText: kept }, principal);
      },
    }),
    route<{ call: string; verdict: Verdict }>({
      method: 'post',
      path: '/conversations/{id}/decisions',
      name: 'tellDecision',
      summary:
        'Reports that a call was harmless or an attack, whatever was decided about it. The decision is stored as the policy makes it now',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: CONVERSATION_ID },
      body: objectOf({ call: ENTRY_ID, verdict: { enum: VERDICTS } }),
      answer: { status: 204, description: 'The verdict was stored' },
      async handle({ caller, parameters: { id = '' }, body: { call, verdict } }) {
        const conversation = await conversationFor(database, caller, id);
        const found = await look(caller, conversation, 'call', call);
        const said = { ...conversation, ...found, call, verdict };
        await corrections.recordDecision(caller.workspace, said, caller.principal);
      },
    }),
  ];
}
