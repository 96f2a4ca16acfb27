import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';

/**
 * What the application knows of the user's wish: from a form or a button. Never take it from content that others wrote.
 *
 * @example
 * ```ts
 * const task: TaskDefinition = { tools: ['pay'], people: ['Tom Fischer'], values: ['DE75512108001245126199', '240'] };
 * conversation.task(task);
 * ```
 */
export interface TaskDefinition {
  /** Tools whose acts the user asked for. The judge is told so. @default none */
  readonly tools?: readonly string[];
  /** People whom the user named. Their addresses count as said by the user, and the judge is told all. @default none */
  readonly people?: readonly string[];
  /** Addresses, hosts, ids, paths, accounts and amounts that count as said by the user. @default none */
  readonly values?: readonly string[];
  /** People whose requests count as the user's, such as their manager. The judge is told so. @default none */
  readonly follows?: readonly string[];
}

/** A checked definition. */
export type CheckedTask = Readonly<Record<keyof TaskDefinition, readonly string[]>>;

export const NO_TASK: CheckedTask = Object.freeze({ tools: [], people: [], values: [], follows: [] });

const NAMES = ['tools', 'people', 'values', 'follows'] as const;

function checkTexts(name: string, given: unknown): readonly string[] {
  if (Array.isArray(given) && given.every((text) => typeof text === 'string' && text.trim() !== ''))
    return given.map((text: string) => text.trim());
  return refuse(`\`${name}\` must be an array of texts that are not empty; received ${describeValue(given)}.`);
}

/** Refuses what would have no effect: misspelt options, empty values, tools that are not declared. */
export function checkTask(definition: TaskDefinition, tools: { get(name: string): unknown }): CheckedTask {
  if (typeof definition !== 'object' || definition === null)
    return refuse(`task() needs an object such as { tools: ['pay'] }; received ${describeValue(definition)}.`);
  checkOptionNames(definition, NAMES, 'task()');
  const texts = NAMES.map((name) => [name, checkTexts(name, definition[name] ?? [])]);
  const task = Object.fromEntries(texts) as CheckedTask;
  const unknown = task.tools.find((name) => tools.get(name) === undefined);
  return unknown === undefined ? task : refuse(`\`tools\` names ${describeValue(unknown)}, which is not declared.`);
}
