import guards from 'llm-guard';

const others = { pii: false, profanity: false, toxicity: false, relevance: false };
const injection = new guards.LLMGuard(others);
const all = new guards.LLMGuard();

export const adapter = {
  name: 'llm-guard',
  package: 'llm-guard',
  note: 'the npm package of this name, not the Python project',
  configurations: [
    { name: 'injection and jailbreak', detect: async (text) => !(await injection.validate(text)).isValid },
    {
      name: 'all guards (default)',
      note: 'counts personal data, profanity and length as well',
      detect: async (text) => !(await all.validate(text)).isValid,
    },
  ],
};
