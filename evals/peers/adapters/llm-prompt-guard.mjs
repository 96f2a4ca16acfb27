import { createGuard, detect, normalizeHtml } from 'llm-prompt-guard';
import { french, german, portuguese, spanish } from 'llm-prompt-guard/patterns/multilingual';

const guard = createGuard({ extraPatterns: [...spanish, ...french, ...german, ...portuguese] });
/** Its README sends 0.3 and above to review, 0.9 and above to rejection. */
const REVIEW = 0.3;

export const adapter = {
  name: 'llm-prompt-guard',
  package: 'llm-prompt-guard',
  configurations: [
    { name: 'detect', detect },
    {
      name: 'assess at 0.3, multilingual',
      detect: (text) => guard.assess(text).score >= REVIEW,
    },
    {
      name: 'normalizeHtml, assess at 0.3, multilingual',
      detect: (text) => guard.assess(normalizeHtml(text).text).score >= REVIEW,
    },
  ],
};
