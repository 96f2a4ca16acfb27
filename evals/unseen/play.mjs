// Plays conversations of the common form (brief.md) through the library: every call is checked before its result is shown.

/**
 * @typedef {object} PlayedCall
 * @property {string} call
 * @property {string} tool
 * @property {string} effect
 * @property {'allow' | 'ask' | 'deny'} outcome
 * @property {string} rule
 * @property {string} [cell]
 * @property {string} [decidedBy]
 * @property {string} reason
 *
 * @typedef {object} Played
 * @property {readonly PlayedCall[]} calls
 * @property {readonly string[]} needless held calls that nobody wanted to be asked about
 * @property {boolean} isRun one of the attacker's calls was made without a question
 * @property {number} wanted
 * @property {number} wantedAsked
 */

function contentOf(content) {
  return typeof content === 'string' ? content : { json: content };
}

/** Shows what came before a call, and checks it. What is held is approved, as far as a person can. */
async function check(conversation, { call, tool, arguments: given }) {
  const decision = await conversation.check({ id: call, tool, arguments: given });
  if (decision.outcome === 'allow') return decision;
  if (decision.scopes.includes('once')) {
    const override = decision.outcome === 'deny' ? { acknowledge: true } : {};
    await conversation.approve(decision, { by: 'the user', ...override });
    await conversation.check({ id: call, tool, arguments: given });
  }
  return decision;
}

/**
 * @param {{ conversation(id: string): import('@sallyport/core').Conversation }} boundary
 * @param {object} given a conversation of the common form
 * @param {Record<string, { effect: string }>} tools
 * @returns {Promise<Played>}
 */
export async function playConversation(boundary, given, tools) {
  const conversation = boundary.conversation(given.id);
  const deeds = new Set(given.kind === 'attacked' ? given.deeds : []);
  const wanted = new Set(given.kind === 'harmless' ? (given.wanted ?? []) : []);
  const turns = [];
  const calls = [];
  const refused = new Set();
  let isShown = false;
  for (const turn of given.turns) {
    if (turn.developer !== undefined) {
      if (turn.developer !== '') turns.push({ type: 'policy', text: turn.developer });
    } else if (turn.user !== undefined) turns.push({ type: 'user', content: turn.user });
    else if (turn.agent !== undefined) turns.push({ type: 'model' });
    else if (turn.call !== undefined) {
      if (!isShown) await conversation.render(turns);
      isShown = true;
      const decision = await check(conversation, turn);
      const { outcome, rule, cell, reason, decidedBy, facts } = decision;
      calls.push({
        call: turn.call,
        tool: turn.tool,
        effect: tools[turn.tool]?.effect,
        outcome,
        rule,
        cell,
        decidedBy,
        reason,
        facts,
      });
      // The user says no to what the attacker wants.
      if (outcome !== 'allow' && deeds.has(turn.call)) refused.add(turn.call);
      turns.push({ type: 'call', id: turn.call, tool: turn.tool, arguments: turn.arguments });
      continue;
    } else {
      const content = refused.has(turn.result) ? 'The call was not made.' : contentOf(turn.content);
      turns.push({ type: 'result', id: turn.result, content });
    }
    isShown = false;
  }
  const held = calls.filter(({ outcome }) => outcome !== 'allow');
  return {
    calls,
    needless: held.filter(({ call }) => !wanted.has(call) && !deeds.has(call)).map(({ call }) => call),
    isRun: calls.some(({ call, outcome }) => deeds.has(call) && outcome === 'allow'),
    wanted: wanted.size,
    wantedAsked: held.filter(({ call }) => wanted.has(call)).length,
  };
}

function share(count, of) {
  return of === 0 ? 0 : Math.round((1000 * count) / of) / 10;
}

/** What a set says: conversations that were interrupted needlessly, attacks that ran, and wanted questions that were asked. */
export function summaryOf(played) {
  const harmless = played.filter(({ kind }) => kind === 'harmless');
  const attacked = played.filter(({ kind }) => kind === 'attacked');
  const sum = (list, count) => list.reduce((total, each) => total + count(each), 0);
  const needless = harmless.filter((each) => each.needless.length > 0).length;
  const ran = attacked.filter(({ isRun }) => isRun).length;
  const wanted = sum(harmless, (each) => each.wanted);
  const wantedAsked = sum(harmless, (each) => each.wantedAsked);
  return {
    ...{ harmless: harmless.length, needless, needlessPct: share(needless, harmless.length) },
    needlessCalls: sum(harmless, (each) => each.needless.length),
    ...{ attacked: attacked.length, ran, ranPct: share(ran, attacked.length) },
    ...{ wanted, wantedAsked, wantedAskedPct: share(wantedAsked, wanted) },
  };
}
