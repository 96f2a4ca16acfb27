import vard from '@andersmyrmel/vard';

const preset = (guard) => (text) => !guard.safeParse(text).safe;

export const adapter = {
  name: 'vard',
  package: '@andersmyrmel/vard',
  note: 'every text over 10,000 characters is a threat by its length',
  configurations: [
    { name: 'moderate (default)', detect: preset(vard.moderate()) },
    { name: 'strict', detect: preset(vard.strict()) },
  ],
};
