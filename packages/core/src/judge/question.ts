import { parseJson } from '../base/parse-json.ts';
import type { Effect } from '../call/effect.ts';
import type { Tool } from '../call/tool.ts';
import type { Facts, ValueFacts } from '../facts/facts.ts';
import { nameOfArgument, nameOfTool } from '../facts/names.ts';
import type { CheckedTask } from '../task/definition.ts';

/**
 * A value of a judged call. `value` may hold words of strangers: it is data.
 *
 * @example
 * ```ts
 * const payee: JudgedValue = { name: 'account', value: 'DE02 1203', from: 'from read_mail, where outsiders write' };
 * ```
 */
interface JudgedValue {
  readonly name: string;
  readonly value: string | number | boolean | null;
  /** Where the value comes from, in our words. */
  readonly from: string;
  /** How long the text is, if only its beginning is shown. */
  readonly length?: number;
  /** The addresses, accounts and hosts in a text, each with where it comes from. */
  readonly addresses?: readonly { readonly value: string; readonly from: string }[];
}

/**
 * What a judge is told about a call: what the developer and the user said, the tool as the developer declared it, and the call with a
 * line of provenance for each value. No byte of a tool result, of a memory, of a server's description or of the model's own answers is
 * in it, except as a value of the call.
 *
 * @example
 * ```ts
 * const question: JudgeQuestion = {
 *   messages: ['Tell Ann that I am late.'],
 *   calledBefore: ['find_contact'],
 *   tool: { name: 'send_message', effect: 'send' },
 *   arguments: [{ name: 'to', value: 'ann', from: 'said by the user' }],
 * };
 * ```
 */
export interface JudgeQuestion {
  /** The developer's instructions to the agent: their beginning. Absent if there are none. */
  readonly developer?: string;
  /** The user's messages without what they quote, the oldest first. */
  readonly messages: readonly string[];
  /** What the application says that the user authorized (`conversation.task()`). Absent if it says nothing. */
  readonly authorized?: Omit<CheckedTask, 'values'>;
  /** The tools that the agent called before, the oldest first. */
  readonly calledBefore: readonly string[];
  readonly tool: { readonly name: string; readonly effect: Effect; readonly description?: string };
  readonly arguments: readonly JudgedValue[];
  /** Which look this is: 1, or 2 and 3 where the answers before leave a doubt. */
  readonly look: 1 | 2 | 3;
}

const MAX_TEXT = 400;
const MAX_VALUE = 300;
const MAX_COMMAND = 800;
const MAX_ADDRESSES = 8;

// What a reader does not see, or what changes the order of what they see.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;
const SEEN = /[\n\t]/;

// Our own words about where a value comes from, which a value must not say of itself.
const RESERVED =
  /\b(?:said by the user|given by the application|approved by a person|listed in the tool'?s schema|the agent'?s own words|an? (?:identifier that|field that the service)|a trusted tool|where outsiders write|second look)\b/gi;

/** A value as the judge sees it: characters without a form, and our own words, are written as escapes. */
function visible(text: string): string {
  return text
    .replace(UNSEEN, (sign) => (SEEN.test(sign) ? sign : `\\u{${(sign.codePointAt(0) as number).toString(16)}}`))
    .replace(RESERVED, (words) => words.replaceAll(' ', '\\u{20}'));
}

/** The values of the arguments that no provenance is searched for: they say yes, no or nothing. */
function* constantsIn(value: unknown, path = ''): Generator<JudgedValue> {
  if (typeof value === 'boolean' || value === null)
    yield { name: nameOfArgument(path), value, from: 'chosen by the agent' };
  else if (typeof value === 'object')
    for (const [key, member] of Object.entries(value)) yield* constantsIn(member, `${path}/${key}`);
}

/** A name that the model chose is part of the names of what it holds. One that others wrote is shown as a value of its own. */
function isShownAsName({ isKey, path, supplier }: ValueFacts): boolean {
  return (
    isKey === true && supplier !== 'content' && supplier !== 'instructed' && nameOfArgument(path) === path.slice(1)
  );
}

function judgedValue(facts: Facts, { path, value, role, from, isFree }: ValueFacts): JudgedValue {
  const max = isFree || role === 'text' ? MAX_TEXT : role === 'command' ? MAX_COMMAND : MAX_VALUE;
  const addresses = facts.addresses
    .filter((each) => each.path === path && each.value !== value)
    .slice(0, MAX_ADDRESSES)
    .map((each) => ({ value: visible(each.value.slice(0, MAX_VALUE)), from: each.from }));
  const isCut = value.length > max;
  return {
    name: nameOfArgument(path),
    value: visible(isCut ? value.slice(0, max).toWellFormed() : value),
    from,
    ...(isCut && { length: value.length }),
    ...(addresses.length > 0 && { addresses }),
  };
}

/** What the judge is told in place of a name that the model chose. */
export const UNDECLARED = 'a tool that is not declared';

/** What a question is about in addition to the call. */
export interface JudgeContext extends Pick<JudgeQuestion, 'developer' | 'messages' | 'calledBefore'> {
  readonly authorized: Omit<CheckedTask, 'values'>;
}

/** The question about a call. The description of a tool is shown only if the developer wrote it. */
export function questionAbout(facts: Facts, tool: Tool, argumentsJson: string, context: JudgeContext): JudgeQuestion {
  const { developer, authorized, ...others } = context;
  const { describedBy, description } = tool;
  const isAuthorized = Object.values(authorized).some((each) => each.length > 0);
  return {
    ...(developer && { developer }),
    ...others,
    ...(isAuthorized && { authorized }),
    calledBefore: context.calledBefore.map((name) => (name === UNDECLARED ? name : nameOfTool(name))),
    tool: {
      name: nameOfTool(tool.name),
      effect: facts.effect,
      ...(description !== undefined && describedBy !== 'server' && { description }),
    },
    arguments: [
      ...facts.values.filter((each) => !isShownAsName(each)).map((each) => judgedValue(facts, each)),
      ...constantsIn(parseJson(argumentsJson)),
    ],
    look: 1,
  };
}
