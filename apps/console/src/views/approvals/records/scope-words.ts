import type { ApprovalScope } from '../../../api/types.ts';

export const SCOPE_WORDS: Readonly<Record<ApprovalScope, string>> = {
  once: 'once',
  task: 'for the task',
  conversation: 'for the conversation',
  always: 'always',
};
