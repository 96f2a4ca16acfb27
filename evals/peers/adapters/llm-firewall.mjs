import { Firewall } from 'llm-firewall';

const all = new Firewall();
const injection = new Firewall().use('injection');

export const adapter = {
  name: 'llm-firewall',
  package: 'llm-firewall',
  configurations: [
    { name: 'injection', detect: (text) => !injection.analyze(text).allowed },
    {
      name: 'all detectors (default)',
      note: 'counts personal data and harmful content as well',
      detect: (text) => !all.analyze(text).allowed,
    },
  ],
};
