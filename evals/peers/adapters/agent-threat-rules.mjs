import { ATREngine } from 'agent-threat-rules';

/** A match of any rule, in its event type for tool results, on which its rules for prompts run too. */
function lane(name) {
  let loading;
  return async (text) => {
    loading ??= (async () => {
      const engine = new ATREngine({ lane: name });
      await engine.loadRules();
      return engine;
    })();
    const engine = await loading;
    return engine.evaluate({ type: 'tool_response', timestamp: '2026-01-01T00:00:00Z', content: text }).length > 0;
  };
}

export const adapter = {
  name: 'agent-threat-rules',
  package: 'agent-threat-rules',
  note:
    'finds nothing in a text over 100,000 characters; its rule files name AgentDojo (9), InjecAgent (5) and ' +
    'CyberSecEval (2), so for it these sources are not held out',
  configurations: [
    { name: 'lane hunt (default)', detect: lane('hunt') },
    { name: 'lane enforce', detect: lane('enforce') },
  ],
};
