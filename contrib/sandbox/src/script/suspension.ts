import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Conversation, type Decision, type Label, type Recorded, source } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { record } from '@sallyport/core/stages';
import type { ScriptAnswer } from '../engine/engine.ts';
import { SandboxError } from '../errors.ts';
import type { JournalCall, Settlement } from './journal.ts';

/** A script that waits for a person, with everything that it has read so far. */
export interface Suspension {
  /** The id of the tool call that started the script. */
  readonly id: string;
  /** The id of its conversation. */
  readonly conversation: string;
  /** The script's code. */
  readonly source: string;
  /** The value of the global `input`, as JSON text. */
  readonly input: string;
  readonly inputs: readonly Recorded[];
  readonly context: Label;
  readonly now: number;
  readonly calls: readonly JournalCall[];
  readonly settlements: readonly Settlement[];
  /** The calls that wait. Empty after a restart: they are checked again on resume. */
  readonly held: readonly Decision[];
  /** Set if it was stored and restored, so that the origin of what it has read is unknown. @default false */
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

const MIN_KEY_BYTES = 32;

function macOf(text: string, key: Uint8Array): Buffer {
  if (!(key instanceof Uint8Array) || key.length < MIN_KEY_BYTES)
    throw new SandboxError(
      'ERR_INVALID_OPTION',
      `\`key\` must be a Uint8Array of at least ${MIN_KEY_BYTES} random bytes.`,
    );
  return createHmac('sha256', key).update('sallyport suspension 1\n').update(text).digest();
}

function storedRead({ id, label }: Recorded): StoredRead {
  return { id, label };
}

/**
 * Serializes a suspension until a person has decided. The text contains what the script has read. It is authenticated with the key,
 * so it cannot be forged.
 *
 * @example
 * ```ts
 * const result = await scripts.run({ id: 'call-1', source });
 * if (result.status === 'suspended') await store.set('call-1', storeSuspension(result.suspension, key));
 * ```
 */
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
  return `${macOf(text, key).toString('hex')}.${text}`;
}

/** A restored record of unknown source, with its original label. */
function recordOf({ id, label }: StoredRead, json: string): Recorded {
  const from = source('unknown', { confidentiality: label.confidentiality });
  return record({ id, source: from, label, content: [{ type: 'json', text: json }] });
}

/**
 * Restores a suspension that storeSuspension() wrote with the same key, for the same conversation.
 *
 * @example
 * ```ts
 * const suspension = restoreSuspension(await store.get('call-1'), key, conversation);
 * await scripts.resume(suspension, askPerson);
 * ```
 */
export function restoreSuspension(text: string, key: Uint8Array, conversation: Conversation): Suspension {
  const [mac = '', ...rest] = String(text).split('.');
  const body = rest.join('.');
  const given = Buffer.from(mac, 'hex');
  const expected = macOf(body, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new SandboxError('ERR_INVALID_SUSPENSION', 'The text must come from storeSuspension() with the same key.');
  const stored = parseJson(body) as Stored;
  if (stored.version !== 1 || stored.conversation !== conversation.id)
    throw new SandboxError(
      'ERR_INVALID_SUSPENSION',
      'The suspension belongs to another conversation or another version.',
    );
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
