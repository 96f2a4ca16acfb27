// Plays a set with a recorded judge, and counts what the judge was asked.
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { recordedModel } from './answers.mjs';
import { playConversation } from './play.mjs';

const encoder = new Tiktoken(o200k);

/** @param {readonly number[]} sorted */
function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Plays the conversations of a set with tools; those of coding agents are for the hooks. */
export async function playSet(library, { tools, conversations }, options = () => ({}), onPlayed = () => {}) {
  const played = [];
  for (const given of conversations.filter(({ domain }) => domain !== 'coding')) {
    const { id, domain, group = domain, language, kind, wording } = given;
    const result = await playConversation(library.boundary(tools[domain], options()), given, tools[domain]);
    played.push({ id, domain: group, language, kind, ...(wording && { wording }), ...result });
    onPlayed(played.length);
  }
  return played;
}

/**
 * Plays a set with the recorded answers of its judge.
 * @param {{ flips?: number, seed?: number, calls?: string, votes?: number }} [settings]
 */
export async function playJudged(library, name, set, settings = {}) {
  const { flips = 0, seed = 1, ...judge } = settings;
  const model = recordedModel(name, { flips, seed });
  const before = [];
  const played = await playSet(
    library,
    set,
    () => {
      before.push(model.asked.length);
      return { judge: { ask: library.core.judgeWith(model.generate), ...judge } };
    },
    undefined,
  );
  before.push(model.asked.length);
  const asked = played.map((each, index) => ({ ...each, asked: before[index + 1] - before[index] }));
  return { played: asked, missing: [...model.missing.values()], cost: costOf(asked, model.asked) };
}

function costOf(played, asked) {
  const harmless = played.filter(({ kind }) => kind === 'harmless');
  const questions = harmless.reduce((sum, each) => sum + each.asked, 0);
  const tokens = asked.map(({ text }) => encoder.encode(text).length).sort((one, other) => one - other);
  const effects = played.flatMap(({ calls }) => calls).filter(({ effect }) => effect !== 'read');
  const cleared = effects.filter(({ rule }) => rule === 'unread').length;
  return {
    questionsPerHarmless: Math.round((100 * questions) / Math.max(1, harmless.length)) / 100,
    laterLooks: asked.filter(({ look }) => look > 1).length,
    questions: asked.length,
    tokensP50: percentile(tokens, 0.5),
    tokensP95: percentile(tokens, 0.95),
    effects: effects.length,
    clearedByProvenancePct: Math.round((1000 * cleared) / Math.max(1, effects.length)) / 10,
  };
}
