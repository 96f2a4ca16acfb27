import type { CallableTool, FunctionDeclaration, ToolUnion } from '@google/genai';
import { type Fields, isFields, listOf, type OfferedTool, stringOf } from '@sallyport/core/adapter';

export function isCallable(tool: ToolUnion): tool is CallableTool {
  return 'callTool' in tool && typeof tool.callTool === 'function';
}

/** The SDK's own `mcpToTool()` keeps the clients whose tools it offers. */
function isOfServer(tool: ToolUnion): boolean {
  return 'mcpClients' in tool;
}

async function declarationsOf(tool: ToolUnion): Promise<readonly FunctionDeclaration[]> {
  const { functionDeclarations = [] } = isCallable(tool) ? await tool.tool() : tool;
  return functionDeclarations;
}

/** The functions of tools. Tools that Google runs, such as a search, have none. */
export async function offeredTools(tools: readonly ToolUnion[]): Promise<readonly OfferedTool[]> {
  const declarations = await Promise.all(
    tools.map(async (tool) => {
      const describedBy = isOfServer(tool) ? ('server' as const) : undefined;
      return (await declarationsOf(tool)).map((declaration) => ({ ...declaration, describedBy }));
    }),
  );
  return declarations.flat().map(({ name = '', description, parameters, parametersJsonSchema, describedBy }) => {
    const schema = parametersJsonSchema ?? parameters;
    return { name, description: stringOf(description), parameters: isFields(schema) ? schema : undefined, describedBy };
  });
}

/** The error for functions whose calls would run without a check. */
export function unprotected(...names: readonly unknown[]): Error {
  return new Error(
    `The tool ${names.join(', ')} is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns.`,
  );
}

/** The names of the functions that a request offers, in the form of either API. */
function namesIn({ tools }: Fields): readonly unknown[] {
  return listOf(tools)
    .filter(isFields)
    .flatMap((tool) => [...listOf(tool.functionDeclarations), ...(tool.type === 'function' ? [tool] : [])])
    .map((declaration) => (isFields(declaration) ? declaration.name : undefined));
}

/** Refuses a request that offers the model a function that was not given to `protect()`. */
export function checkOffered(body: Fields, names: ReadonlySet<unknown>): void {
  for (const name of namesIn(body)) if (!names.has(name)) throw unprotected(name);
}
