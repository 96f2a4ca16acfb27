// A feature: what a client does, and what it sees.
import type { Structured } from './compare.ts';
import type { TestContext, TestContextOptions } from './test-context.ts';

export const ERAS = ['2025-11-25 and before', '2026-07-28', 'across SDKs', 'servers and clients from npm'] as const;
type Era = (typeof ERAS)[number];

export interface Feature extends TestContextOptions {
  readonly name: string;
  readonly era: Era;
  /** The wrapper's option for structuredContent. @default 'typed' */
  readonly structured?: Structured;
  /** Every line must arrive byte for byte, even in mode frame. */
  readonly raw?: boolean;
  /** In mode annotate, the outcome must have an annotation of its source. */
  readonly annotated?: boolean;
  /** The feature needs a gate: the reason why. The run itself then checks the outcome. */
  readonly gated?: string;
  /** The feature is one of a local process: the reason why it does not exist over HTTP. */
  readonly local?: string;
  /** The page of an app passes unframed: the host shows it, and not the model. */
  readonly hasPage?: boolean;
  /** Values that change in each run, and are excluded from the comparison. */
  readonly volatile?: RegExp;
  /** Throws when something is wrong. What it returns is compared between direct and wrapped. */
  run(context: TestContext): Promise<unknown>;
}

/** Fails a run. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const EVENT_MS = 5000;

/** Waits for the effect of a notification. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + EVENT_MS;
  while (!holds()) {
    expect(Date.now() < end, `timed out waiting for ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
