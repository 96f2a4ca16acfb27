// Servers and models choose names too: one that could say something to its reader is not repeated.
const TOOL = /^[\w.:/-]{1,64}$/;
const ARGUMENT = /^[\w./-]{1,60}$/;

/** The name of a tool in a sentence for the judge or a person. */
export function nameOfTool(name: string): string {
  return TOOL.test(name) ? name : 'a tool with an unusual name';
}

/** The name of the argument at a JSON pointer, for the judge or a person. */
export function nameOfArgument(path: string): string {
  const name = path.slice(1);
  return ARGUMENT.test(name) ? name : 'an argument with an unusual name';
}
