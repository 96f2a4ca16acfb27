import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import type { ToolRegistry } from '../call/tool.ts';
import { isMailAddress, wordsOfPerson } from './mentions.ts';

/**
 * What the user authorized, as the application knows it: from a form, a button, or its own reading of the user's words. Never take
 * it from content that others wrote.
 *
 * @example
 * ```ts
 * const task: TaskDefinition = { tools: ['pay'], people: ['Tom'], values: ['DE75512108001245126199'] };
 * conversation.task(task);
 * ```
 */
export interface TaskDefinition {
  /**
   * The names of the tools whose act the user asked for. With this list the user's words no longer decide what was asked for; an
   * empty list asks for nothing. @default the user's words decide
   */
  readonly tools?: readonly string[];
  /** The people whom the user named, by name or by mail address. An address counts as typed by the user. @default none */
  readonly people?: readonly string[];
  /** Hosts, ids, paths, accounts and amounts that count as typed by the user. @default none */
  readonly values?: readonly string[];
  /**
   * The mail addresses of people whose messages the user wants done. What such a message asks for counts as asked for by the user,
   * except `spend`, `destroy` and `execute`, if the tool that returned it declares `sender`. @default none
   */
  readonly delegates?: readonly string[];
}

/** A checked definition. */
export interface CheckedTask {
  /** Undefined if the user's words decide. */
  readonly tools: ReadonlySet<string> | undefined;
  /** Names and mail addresses, in lower case. */
  readonly people: readonly string[];
  readonly values: readonly string[];
  /** Mail addresses, in lower case. */
  readonly delegates: ReadonlySet<string>;
}

const NAMES: readonly (keyof TaskDefinition)[] = ['tools', 'people', 'values', 'delegates'];

function textsOf(definition: TaskDefinition, name: keyof TaskDefinition): readonly string[] {
  const texts: unknown = definition[name] ?? [];
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string' && text.trim() !== ''))
    return texts.map((text: string) => text.trim());
  return refuse(`\`${name}\` must be an array of texts that are not empty; received ${describeValue(texts)}.`);
}

function checkTool(name: string, tools: ToolRegistry): string {
  if (tools.get(name) !== undefined) return name;
  const near = nearestOf(
    name,
    Array.from(tools.values?.() ?? [], (tool) => tool.name),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return refuse(`\`tools\` names ${describeValue(name)}, which is not declared.${hint}`);
}

function checkDelegate(address: string): string {
  if (isMailAddress(address)) return address.toLowerCase();
  return refuse(
    `\`delegates\` must hold mail addresses, such as 'anna@firm.example', because a name can be anyone's; received ${describeValue(address)}.`,
  );
}

function namesIn(person: string): readonly string[] {
  if (isMailAddress(person)) return [person.toLowerCase()];
  const names = wordsOfPerson(person);
  if (names.length > 0) return names;
  return refuse(
    `\`people\` must hold mail addresses, or names with a word of at least three letters; received ${describeValue(person)}.`,
  );
}

/** Refuses what would have no effect: misspelt options and tools, and names that no address can show. */
export function checkTask(definition: TaskDefinition, tools: ToolRegistry): CheckedTask {
  if (typeof definition !== 'object' || definition === null)
    return refuse(`task() needs an object such as { tools: ['send_mail'] }; received ${describeValue(definition)}.`);
  checkOptionNames(definition, NAMES, 'task()');
  const people = textsOf(definition, 'people');
  const names = textsOf(definition, 'tools').map((name) => checkTool(name, tools));
  return {
    tools: definition.tools === undefined ? undefined : new Set(names),
    people: people.flatMap(namesIn),
    values: [...textsOf(definition, 'values'), ...people.filter(isMailAddress)],
    delegates: new Set(textsOf(definition, 'delegates').map(checkDelegate)),
  };
}
