import { fieldsOf } from '@sallyport/core/adapter';

/** Whom GitHub and its relatives call a member of a project. */
const MEMBERS: ReadonlySet<unknown> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
const ASSOCIATION = ['author_association', 'authorAssociation'];
/** The members of an object in which somebody speaks. */
const SPOKEN = 'body bodyText title message messageBody messageHeadline description diff patch text'.split(' ');

function* objectsIn(root: unknown): Generator<Readonly<Record<string, unknown>>> {
  const left = [root];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) yield fieldsOf(next);
    for (const each of Object.values(next)) left.push(each);
  }
}

/**
 * Recognizes a result of a forge in which only members of the project speak: each object with a text also says that its
 * author is one. What a text says of itself does not count.
 */
export function isByMembers(text: string): boolean {
  let result: unknown;
  try {
    result = JSON.parse(text);
  } catch {
    // Plain text does not say who wrote it.
    return false;
  }
  const speaking = [...objectsIn(result)].filter((object) => SPOKEN.some((name) => typeof object[name] === 'string'));
  const isMember = (object: Readonly<Record<string, unknown>>): boolean =>
    ASSOCIATION.some((name) => MEMBERS.has(object[name]));
  return speaking.length > 0 && speaking.every(isMember);
}
