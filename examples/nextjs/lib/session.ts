/**
 * Who uses this page. Put your own login here: approvals are given in this name, and it must never come from the request's body.
 */
export function currentUser(): string {
  return 'ann';
}
