import assert from 'node:assert/strict';
import type { ShownResult } from '@sallyport/testing';
import { Stage, unframed } from '../stage.ts';

/** A scenario that runs with every framework. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Set if the provider runs the tool. @default false */
  readonly isProvided?: boolean;
  play(stage: Stage): Promise<void>;
}

/** The content of a result, if all of it is in frames. */
export function contentOf(result: ShownResult | undefined): string {
  assert.ok(result !== undefined && result.texts.length > 0, 'the request shows no such result');
  return result.texts
    .map((text) => {
      const content = unframed(text);
      assert.ok(content !== undefined, `not in a frame: ${text.slice(0, 120)}`);
      return content;
    })
    .join('\n');
}

export const READ = { calls: [{ name: 'read_mail', arguments: { folder: 'inbox' } }] };

export async function played(driver: Parameters<typeof Stage.open>[0], scenario: Scenario): Promise<void> {
  const stage = await Stage.open(scenario.isProvided === true ? { ...driver, ...driver.providing } : driver);
  try {
    await scenario.play(stage);
  } finally {
    await stage.close();
  }
}
