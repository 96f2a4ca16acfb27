import { defineTool, effectOfAnnotations, type JsonSchema, type Tool, type ToolAnnotations } from '@sallyport/core';
import { fieldsOf, isFields } from './fields.ts';

export interface ToolsOfOptions {
  /**
   * Somebody has looked at these very definitions, and this is a copy that the server cannot change: its hints say what a tool
   * does, its schema which names of arguments are nobody's data. @default false: every tool may do anything
   */
  readonly pinned?: boolean;
  /** The same function that the transport is given. @default the name that the server gives it */
  readonly name?: (tool: string) => string;
}

/** Definitions for the tools of a `tools/list` result. What they bring is external; whoever knows better writes `defineTool`. */
export function toolsOf(listed: unknown, { pinned = false, name = String }: ToolsOfOptions = {}): readonly Tool[] {
  const { tools } = fieldsOf(listed);
  return (Array.isArray(tools) ? tools.filter(isFields) : []).map((tool) =>
    defineTool({
      name: name(String(tool.name)),
      origin: 'external',
      effect: effectOfAnnotations(tool.annotations as ToolAnnotations | undefined, pinned),
      ...(pinned && isFields(tool.inputSchema) ? { parameters: tool.inputSchema as JsonSchema } : {}),
    }),
  );
}
