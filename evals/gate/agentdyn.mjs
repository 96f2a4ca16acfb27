// The recorded conversations of AgentDyn under a preset: harmless ones, and hijacked ones in their wording and in bare words.
import { declaredFor } from '../replay/effects.mjs';
import { measure, REWORDED } from '../replay/measure.mjs';
import { isReal, listed, metricsOf, percent } from '../replay/metrics.mjs';
import { TOOLS } from '../replay/tools.mjs';

/**
 * @param {import('./library.mjs').Library} library
 * @param {ReturnType<typeof import('../replay/measure.mjs').loadConversations>} loaded
 * @param {{ preset: string, wordings: readonly string[], show: (text: string) => void }} options
 */
export async function playAgentDyn(library, loaded, { preset, wordings, show }) {
  const suites = [...new Set(loaded.conversations.map(({ suite }) => suite))];
  const boundaries = new Map(suites.map((suite) => [suite, library.boundary(declaredFor(TOOLS[suite]), preset)]));
  const boundaryOf = (suite) => boundaries.get(suite);
  const attacks = loaded.conversations.filter(({ attack }) => attack !== null);
  const rewordable = attacks.filter(({ attack }) => attack === REWORDED).length;
  const play = (wording) => {
    const progress = (done, all) => show(`${preset}, ${wording}: ${done} of ${all} conversations`);
    return measure(loaded, { boundaryOf, source: library.source, wording, show: progress });
  };
  const original = wordings.includes('original') ? await play('original') : undefined;
  const reworded = wordings.includes('bare') ? (await play('bare')).filter(isReal) : undefined;
  return {
    ...(original && { ...metricsOf(original, attacks.length), listed: listed(original) }),
    ...(reworded && { bare: { ranPct: percent(reworded.length, rewordable), ids: reworded.map(({ id }) => id) } }),
  };
}
