import { type Fields, fieldsOf, isFields, listOf, nonEmptyStringOf, type OfferedTool } from '@sallyport/core/adapter';
import { blocksOf } from './blocks.ts';

/** The name before the point in the names of a toolset's members: `browser` in `browser.navigate`. */
function prefixOf({ mcp_server_name, type }: Fields): string {
  return nonEmptyStringOf(mcp_server_name) ?? String(type).replace(/_toolset_\d+$/, '');
}

/** The name of a tool, or what its members have in common if it is a toolset. */
export function nameOf(tool: Fields): string {
  return nonEmptyStringOf(tool.name) ?? prefixOf(tool);
}

/** The tools to declare. A toolset does not list its members, so those that are declared are taken for its members. */
export function offeredTools(tools: readonly unknown[], declared: object): OfferedTool[] {
  return tools.filter(isFields).flatMap((tool): readonly OfferedTool[] => {
    const { input_schema } = tool;
    const name = nonEmptyStringOf(tool.name);
    if (name !== undefined) return [{ name, ...(isFields(input_schema) ? { parameters: input_schema } : {}) }];
    const members = Object.keys(declared).filter((member) => member.startsWith(`${prefixOf(tool)}.`));
    return members.map((member) => ({ name: member }));
  });
}

/** The error for a tool whose calls would run without a check. */
export function unprotected(tool: Fields): Error {
  return new Error(
    `The tool ${nameOf(tool)} is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns.`,
  );
}

/** The tools of a request, and those that a message adds to them. */
function toolsIn({ tools, messages }: Fields): readonly Fields[] {
  const blocks = listOf(messages).flatMap((message) => blocksOf(fieldsOf(message).content));
  const added = blocks.filter((block) => isFields(block) && block.type === 'tool_addition');
  const definitions = added.map((block) => fieldsOf(fieldsOf(block).tool).definition);
  return [...listOf(tools), ...definitions].filter(isFields);
}

/** Refuses a request that offers the model a tool that was not given to `protect()`. */
export function checkOffered(body: Fields, names: ReadonlySet<string>): void {
  for (const tool of toolsIn(body)) if (!names.has(nameOf(tool))) throw unprotected(tool);
}
