import type { ApprovalScope } from '../../../api/types.ts';

/** What an approval covers, in words. */
export const SCOPE_WORDS: Readonly<Record<ApprovalScope, string>> = {
  once: 'once',
  task: 'for the task',
  conversation: 'for the conversation',
  always: 'always',
};
