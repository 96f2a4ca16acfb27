/** What becomes of a call, mildest first. */
export const OUTCOMES = ['allow', 'ask', 'deny'] as const;

export type Outcome = (typeof OUTCOMES)[number];

export function isOutcome(value: unknown): value is Outcome {
  return (OUTCOMES as readonly unknown[]).includes(value);
}
