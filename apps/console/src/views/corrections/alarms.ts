import type { Correction } from '../../api/types.ts';

/** False alarms that the gateway asks for before a threshold is raised. */
export const NEEDED = 3;

/** Different texts of a server and tag that were reported as false alarms, and that a threshold of medium would not mark. */
export function alarmsOf(corrections: readonly Correction[], server: string, tag: string): number {
  const alarms = corrections.filter(
    (each) => each.server === server && each.tag === tag && each.verdict === 'false-alarm' && each.likelihood === 'low',
  );
  return new Set(alarms.map(({ digest }) => digest)).size;
}

/** The servers and tags with enough false alarms, each once. */
export function raisable(
  corrections: readonly Correction[],
): readonly { readonly server: string; readonly tag: string }[] {
  const keys = new Map(
    corrections.flatMap(({ server, tag }) => (tag === undefined ? [] : [[`${server} ${tag}`, { server, tag }]])),
  );
  return [...keys.values()].filter(({ server, tag }) => alarmsOf(corrections, server, tag) >= NEEDED);
}
