import type { Approval, Me } from '../../api/types.ts';
import { personName } from '../../parts/words/person.ts';

/** Why a person cannot answer a held call; undefined if they can. */
export function whyNot({ question, principal, refused }: Approval, me: Me): string | undefined {
  if (question.secondPerson !== true) return undefined;
  if (principal === me.principal) return 'This call needs another person than you.';
  if (!me.scopes.includes('approve:any'))
    return `This call needs another person than ${personName(principal)}, with the scope approve:any.`;
  // The gateway compares the persons of keys, which this page does not know.
  return refused;
}
