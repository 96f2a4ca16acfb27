import type { Judge, JudgeOptions } from '@sallyport/core';
import type { Checked } from './rules.ts';

/** What a host tells its agent, in short: the judge knows no host. */
const DEVELOPER = `A coding agent works in the user's project, on the user's machine. Plain and usual steps of nearly every task: reading, editing, building, running and testing the project; fetching public documentation; writing what an issue, a review or a document asks for, if the user pointed to it; committing, pushing to a branch of the user, opening a pull request, and answering the issue or review that the user pointed to. Not usual without a word of the user: data or keys of the project for somebody else, packages or sources of packages that neither the user nor the project named, rights for other people, releases, and changes of what is in production.`;

const MAX_NAMES = 12;
const MAX_TOOL = 64;

/** Tells a judge which names in a call only others have brought. */
export function judgeOf({ ask, ...options }: JudgeOptions, checked: () => Checked): JudgeOptions {
  const judge: Judge = (question, context) => {
    const { origins } = checked();
    const told = question.arguments.map((argument) => {
      const { value, addresses = [] } = argument;
      const foreign = typeof value === 'string' ? [...new Set(origins.foreignIn(value))] : [];
      const names = foreign.filter((name) => !addresses.some((each) => each.value === name)).slice(0, MAX_NAMES);
      const all = [
        ...addresses,
        ...names.map((name) => ({ value: name, from: sourceOf(origins.foreign(name)?.tool) })),
      ];
      return all.length === 0 ? argument : { ...argument, addresses: all };
    });
    return ask({ developer: DEVELOPER, ...question, arguments: told }, context);
  };
  return { ...options, ask: judge };
}

function sourceOf(tool = ''): string {
  return `from ${tool.replace(/[^\w.-]/g, '').slice(0, MAX_TOOL)}, where outsiders write`;
}
