import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  nonEmptyStringOf,
  type OfferedTool,
  stringOf,
  type ToolDescriptions,
} from '@sallyport/core/adapter';
import { blocksOf } from './blocks.ts';

/** The name before the point in the names of a toolset's members: `browser` in `browser.navigate`. */
function prefixOf({ mcp_server_name, type }: Fields): string {
  return nonEmptyStringOf(mcp_server_name) ?? String(type).replace(/_toolset_\d+$/, '');
}

/** The name of a tool, or what its members have in common if it is a toolset. */
export function nameOf(tool: Fields): string {
  return nonEmptyStringOf(tool.name) ?? prefixOf(tool);
}

/** The SDK's helpers for MCP mark the tools that they make, under a symbol. */
function isOfServer(tool: object): boolean {
  return Object.getOwnPropertySymbols(tool).some((key) => (tool as Record<symbol, unknown>)[key] === 'mcpTool');
}

/** The tools to declare. A toolset does not list its members, so those that are declared are taken for its members. */
export function offeredTools(tools: readonly unknown[], declared: object): OfferedTool[] {
  return tools.filter(isFields).flatMap((tool): readonly OfferedTool[] => {
    const { input_schema, description } = tool;
    const name = nonEmptyStringOf(tool.name);
    const parameters = isFields(input_schema) ? input_schema : undefined;
    const describedBy = isOfServer(tool) ? 'server' : undefined;
    if (name !== undefined) return [{ name, description: stringOf(description), parameters, describedBy }];
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

function isAddition(block: unknown): block is Fields {
  return isFields(block) && block.type === 'tool_addition';
}

/** The tools of a request, and those that a message adds to them. */
function toolsIn({ tools, messages }: Fields): readonly Fields[] {
  const blocks = listOf(messages).flatMap((message) => blocksOf(fieldsOf(message).content));
  const added = blocks.filter(isAddition);
  const definitions = added.map((block) => fieldsOf(block.tool).definition);
  return [...listOf(tools), ...definitions].filter(isFields);
}

/** Refuses a request that offers the model a tool that was not given to `protect()`. */
export function checkOffered(body: Fields, names: ReadonlySet<string>): void {
  for (const tool of toolsIn(body)) if (!names.has(nameOf(tool))) throw unprotected(tool);
}

async function shownAdditions(descriptions: ToolDescriptions, message: unknown): Promise<unknown> {
  const blocks = blocksOf(fieldsOf(message).content);
  if (!blocks.some(isAddition)) return message;
  const shown = blocks.map((block) => (isAddition(block) ? descriptions.shown(block) : block));
  return { ...(message as Fields), content: await Promise.all(shown) };
}

/** The body of a request with the tools as the model is sent them: what a server says about its tools is framed. */
export async function shownOffers(descriptions: ToolDescriptions, body: Fields): Promise<Fields> {
  const messages = await Promise.all(listOf(body.messages).map((message) => shownAdditions(descriptions, message)));
  const tools = Array.isArray(body.tools) ? { tools: await descriptions.shown(body.tools) } : {};
  return { ...body, ...tools, ...(Array.isArray(body.messages) ? { messages } : {}) };
}
