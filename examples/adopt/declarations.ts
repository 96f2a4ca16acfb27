// Everything that the team writes about its tools to adopt the boundary. `npm run check -- settings` counts it.
import type { Declarations } from '@sallyport/ai-sdk';
import type { officeTools } from './tools.ts';

// #region declare
export const declare = {
  list_emails: { effect: 'read', origin: 'external' },
  send_email: { effect: 'send', modelText: ['subject', 'body'] },
  list_events: { effect: 'read', origin: 'workspace' },
  create_event: { effect: 'write', modelText: ['title'] },
  fetch_url: { effect: 'fetch', origin: 'external' },
  pay: { effect: 'spend', modelText: ['reference'] },
} as const satisfies Declarations<ReturnType<typeof officeTools>['tools']>;
// #endregion declare
