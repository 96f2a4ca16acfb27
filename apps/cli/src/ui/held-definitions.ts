import { digestText, fieldsOf } from '@sallyport/core/adapter';
import type { Held } from '@sallyport/mcp-proxy';
import { acceptHeld } from '../pins/accept.ts';
import type { PinFiles } from '../pins/pin-files.ts';
import { UiProblem } from './problem.ts';

const digestOf = (held: Held): string => digestText(JSON.stringify(held));

/** The definitions that wait for the user, as the gateway lists them. */
export function heldDefinitions(files: PinFiles): unknown {
  const held = files.all().flatMap(({ server, held: waiting }) => {
    const at = files.changedAt(server).toISOString();
    return waiting.map((each) => ({ server, held: each, digest: digestOf(each), at }));
  });
  return { held };
}

/** Accepts exactly the definition that was shown. */
export function acceptDefinition(files: PinFiles, server: string, body: unknown): undefined {
  const { digest } = fieldsOf(body);
  const shown = files.of(server)?.held.filter((held) => held.type !== 'unreadable' && digestOf(held) === digest) ?? [];
  if (shown.length === 0 || acceptHeld(files, server, shown).length === 0)
    throw new UiProblem(404, 'This definition does not wait any more.', 'Load the page again to see what waits now.');
  return undefined;
}
