import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Conversation, type Decision, type Label, type Recorded, source } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import { record } from '@sallyport/core/stages';
import type { ScriptAnswer } from '../engine/engine.ts';
import { SandboxError } from '../errors.ts';
import type { JournalCall, Settlement } from './journal.ts';

/** A script that waits for a person, with everything it was told until then. */
export interface Suspension {
  readonly id: string;
  readonly conversation: string;
  readonly source: string;
  /** What the script finds under `input`, as JSON text. */
  readonly input: string;
  readonly inputs: readonly Recorded[];
  readonly context: Label;
  readonly now: number;
  readonly calls: readonly JournalCall[];
  readonly settlements: readonly Settlement[];
  /** The calls that wait. Empty after a restart: they are judged anew when the script goes on. */
  readonly held: readonly Decision[];
  /** It was stored: who chose what was read is not known any more. @default false */
  readonly isRestored?: boolean;
}

interface StoredRead {
  readonly id: string;
  readonly label: Label;
}

interface Stored extends Omit<Suspension, 'inputs' | 'settlements' | 'held' | 'isRestored'> {
  readonly version: 1;
  readonly inputs: readonly StoredRead[];
  readonly settlements: readonly { index: number; answer: ScriptAnswer; record: StoredRead | null }[];
}

const MIN_KEY = 32;

function sealOf(text: string, key: Uint8Array): Buffer {
  if (!(key instanceof Uint8Array) || key.length < MIN_KEY)
    throw new SandboxError('ERR_INVALID_OPTION', `The key is at least ${MIN_KEY} random bytes.`);
  return createHmac('sha256', key).update('sallyport suspension 1\n').update(text).digest();
}

function storedRead({ id, label }: Recorded): StoredRead {
  return { id, label };
}

/** A text to keep until somebody has decided. It holds what the script has read; whoever has it not from us cannot make one. */
export function storeSuspension(suspension: Suspension, key: Uint8Array): string {
  const { id, conversation, source: code, input, inputs, context, now, calls, settlements } = suspension;
  const stored = {
    ...{ version: 1, id, conversation, source: code, input, context, now },
    calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given ?? null })),
    inputs: inputs.map(storedRead),
    settlements: settlements.map(({ index, answer, record: read }) => ({
      ...{ index, answer },
      record: read === undefined ? null : storedRead(read),
    })),
  };
  const text = canonicalJson(stored);
  return `${sealOf(text, key).toString('hex')}.${text}`;
}

/** A record again, of a source that nobody knows any more, and no better than it was. */
function recordOf({ id, label }: StoredRead, json: string): Recorded {
  const from = source('unknown', { confidentiality: label.confidentiality });
  return record({ id, source: from, label, content: [{ type: 'json', text: json }] });
}

/** Reads what storeSuspension() wrote with the same key, for the same conversation. */
export function restoreSuspension(text: string, key: Uint8Array, conversation: Conversation): Suspension {
  const [seal = '', ...rest] = String(text).split('.');
  const body = rest.join('.');
  const given = Buffer.from(seal, 'hex');
  const right = sealOf(body, key);
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new SandboxError('ERR_INVALID_SUSPENSION', 'The text was not made by storeSuspension() with this key.');
  const stored = JSON.parse(body) as Stored;
  if (stored.version !== 1 || stored.conversation !== conversation.id)
    throw new SandboxError('ERR_INVALID_SUSPENSION', 'The script belongs to another conversation, or another version.');
  const { id, source: code, input, context, now } = stored;
  return {
    ...{ id, conversation: stored.conversation, source: code, input, context, now, held: [], isRestored: true },
    calls: stored.calls.map(({ name, arguments: list }) => ({ name, arguments: list ?? undefined })),
    inputs: stored.inputs.map((read) => recordOf(read, input)),
    settlements: stored.settlements.map(({ index, answer, record: read }) => ({
      ...{ index, answer },
      record: read === null ? undefined : recordOf(read, answer.ok ? answer.json : 'null'),
    })),
  };
}
