import { defineTool, SallyportError, type Tool } from '@sallyport/core';
import { effectOfServerTool, type Fields, fieldsOf, isFields, type JsonSchema, listOf } from '@sallyport/core/adapter';

/** Options of `toolsOf`. */
export interface ToolsOfOptions {
  /**
   * Set if a person has reviewed this copy of the definitions, which the server cannot change. Then its hints define
   * the effects of the tools, its schemas the known argument names, and its descriptions count as yours. @default
   * false: effects follow from names of tools, `execute` if a name says nothing; descriptions are content
   */
  readonly pinned?: boolean;
  /** The same function as the `name` option of the transport. @default the server's name for the tool */
  readonly name?: (tool: string) => string;
}

/** The definition of one tool. A tool with an invalid name is skipped, so that it does not make all others fail. */
function definitionOf(tool: Fields, { pinned = false, name = String }: ToolsOfOptions): readonly Tool[] {
  if (typeof tool.name !== 'string') return [];
  const definition = {
    name: name(tool.name),
    origin: 'external' as const,
    describedBy: pinned ? ('application' as const) : ('server' as const),
    effect: effectOfServerTool(tool.name, tool, pinned),
    ...(pinned && isFields(tool.inputSchema) ? { parameters: tool.inputSchema as JsonSchema } : {}),
  };
  try {
    return [defineTool(definition)];
  } catch (error) {
    if (SallyportError.isInstance(error) && error.code === 'ERR_INVALID_NAME') return [];
    throw error;
  }
}

/**
 * Definitions for the tools of a `tools/list` result. Their results are external content; use `defineTool` for tools whose origin
 * you know.
 *
 * @example
 * ```ts
 * const boundary = createBoundary({ tools: toolsOf(await client.listTools()) });
 * ```
 */
export function toolsOf(listed: unknown, options: ToolsOfOptions = {}): readonly Tool[] {
  const { tools } = fieldsOf(listed);
  return listOf(tools)
    .filter(isFields)
    .flatMap((tool) => definitionOf(tool, options));
}
