import fc from 'fast-check';
import { digestText } from '../../../src/base/digest.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { open, POLICY, play, steps } from '../../properties/attacker.ts';

/** The same attacks for the same seed, in any process. */
export async function playMany(count: number, seed: number): Promise<readonly Conversation[]> {
  const attacks = fc.sample(steps, { numRuns: count, seed });
  return Promise.all(attacks.map(async (attack) => (await play(attack)).conversation));
}

/** The digest of everything that a conversation sends. */
export async function renderedDigest(conversation: Conversation): Promise<string> {
  return digestText((await conversation.request({ policy: POLICY })).text);
}

/** Restores stored conversations and returns what each of them sends. */
export async function restoredDigests(stored: string): Promise<readonly string[]> {
  const snapshots = JSON.parse(stored) as unknown[];
  return Promise.all(snapshots.map((snapshot) => renderedDigest(open(() => {}).restore(snapshot))));
}
