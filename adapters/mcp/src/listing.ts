import { defineTool, SallyportError, type Tool } from '@sallyport/core';
import { effectOfAnnotations, type JsonSchema, type ToolAnnotations } from '@sallyport/core/adapter';
import { type Fields, fieldsOf, isFields } from './fields.ts';

export interface ToolsOfOptions {
  /**
   * Somebody has looked at these very definitions, and this is a copy that the server cannot change: its hints say what a tool
   * does, its schema which names of arguments are nobody's data. @default false: every tool may do anything
   */
  readonly pinned?: boolean;
  /** The same function that the transport is given. @default the name that the server gives it */
  readonly name?: (tool: string) => string;
}

/** One definition; none where a server has put there a name that cannot be one, which would keep out all its others. */
function definitionOf(tool: Fields, { pinned = false, name = String }: ToolsOfOptions): readonly Tool[] {
  if (typeof tool.name !== 'string') return [];
  const definition = {
    name: name(tool.name),
    origin: 'external' as const,
    effect: effectOfAnnotations(tool.annotations as ToolAnnotations | undefined, pinned),
    ...(pinned && isFields(tool.inputSchema) ? { parameters: tool.inputSchema as JsonSchema } : {}),
  };
  try {
    return [defineTool(definition)];
  } catch (error) {
    if (SallyportError.isInstance(error) && error.code === 'ERR_INVALID_NAME') return [];
    throw error;
  }
}

/** Definitions for the tools of a `tools/list` result. What they bring is external; whoever knows better writes `defineTool`. */
export function toolsOf(listed: unknown, options: ToolsOfOptions = {}): readonly Tool[] {
  const { tools } = fieldsOf(listed);
  return (Array.isArray(tools) ? tools.filter(isFields) : []).flatMap((tool) => definitionOf(tool, options));
}
