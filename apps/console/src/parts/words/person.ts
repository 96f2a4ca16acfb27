/** The name of a principal for people: logins and tokens have a prefix. */
export function personName(principal: string): string {
  return principal.replace(/^sub:/, '');
}
