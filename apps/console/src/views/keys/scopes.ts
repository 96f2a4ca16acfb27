import type { Scope } from '../../api/types.ts';

/** The scopes of a key, one a line. */
export const SCOPES: readonly { readonly scope: Scope; readonly about: string }[] = [
  { scope: 'mcp', about: 'calls tools' },
  { scope: 'approve:own', about: 'answers its own held calls' },
  { scope: 'approve:any', about: 'answers held calls of the whole workspace' },
  { scope: 'pins', about: 'accepts and rejects changed definitions' },
  { scope: 'policy', about: 'reads and changes the policy' },
  { scope: 'submit', about: 'hands in what an agent has written' },
  { scope: 'audit', about: 'reads the audit' },
  { scope: 'admin', about: 'changes servers and keys' },
];
