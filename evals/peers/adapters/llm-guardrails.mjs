import guardrails from 'llm-guardrails';

export const adapter = {
  name: 'llm-guardrails',
  package: 'llm-guardrails',
  note: 'does not load without express, which it calls optional',
  configurations: [{ name: 'checkInjection', detect: (text) => !guardrails.checkInjection(text).passed }],
};
