import { GuardrailEngine } from '@llm-guardrails/core';

const engine = new GuardrailEngine({ guards: ['injection'], level: 'standard' });

export const adapter = {
  name: 'llm-guardrails-core',
  package: '@llm-guardrails/core',
  note: 'catches its own errors and lets the text pass; a line of 1,000 characters is an injection to it',
  configurations: [
    { name: 'injection, standard', detect: async (text) => (await engine.checkInput(text)).blocked === true },
  ],
};
