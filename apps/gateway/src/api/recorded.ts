import type { Database } from '../store/database.ts';
import { StoreError } from '../store/errors.ts';
import { isRecorded, type RecordedConversation } from '../store/policy/recorded.ts';
import type { Caller } from '../store/secrets/keys.ts';
import { principalFor } from './approvals.ts';
import type { Schema } from './route/route.ts';

export const CONVERSATION_ID: Schema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,4000}$' };

const MISSING = 'There is no conversation of that id.';

/** The id of a conversation in the API. */
export function idOf({ principal, conversation }: RecordedConversation): string {
  const name = conversation === undefined ? [principal] : [principal, conversation];
  return Buffer.from(JSON.stringify(name)).toString('base64url');
}

function conversationIn(id: string): RecordedConversation {
  try {
    const [principal, conversation, ...more] = JSON.parse(Buffer.from(id, 'base64url').toString()) as unknown[];
    const isNamed = conversation === undefined || typeof conversation === 'string';
    if (typeof principal === 'string' && isNamed && more.length === 0) return { principal, conversation };
  } catch {
    // Not an id that was listed.
  }
  throw new StoreError('missing', MISSING);
}

/** The conversation of an id, if there is one and the caller may see it. */
export async function conversationFor(database: Database, caller: Caller, id: string): Promise<RecordedConversation> {
  const conversation = conversationIn(id);
  const only = principalFor(caller);
  const isOthers = only !== undefined && only !== conversation.principal;
  if (isOthers || !(await isRecorded(database, caller.workspace, conversation)))
    throw new StoreError('missing', MISSING);
  return conversation;
}
