import { sanitizeUntrustedText } from 'llm-moat';

export const adapter = {
  name: 'llm-moat',
  package: 'llm-moat',
  note: 'throws over 16,384 characters; its README says to cut or to reject, so a throw counts as flagged',
  configurations: [{ name: 'medium and high (default)', detect: (text) => sanitizeUntrustedText(text).redacted }],
};
