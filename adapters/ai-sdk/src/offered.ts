import {
  BoundedMap,
  type Fields,
  isFields,
  type JsonSchema,
  listOf,
  type OfferedTool,
  stringOf,
} from '@sallyport/core/adapter';
import { asSchema, type ToolSet } from 'ai';

/** The JSON Schema of a tool's input, if it is known without waiting. */
function schemaOf({ inputSchema }: ToolSet[string]): JsonSchema | undefined {
  const schema = inputSchema === undefined ? undefined : asSchema(inputSchema).jsonSchema;
  return schema === undefined || schema instanceof Promise ? undefined : (schema as JsonSchema);
}

/** Tools of `@ai-sdk/mcp` are dynamic, or have the member `_meta` if the application gave their schemas. */
function isOfServer(tool: ToolSet[string]): boolean {
  return tool.type === 'dynamic' || '_meta' in tool;
}

/** The tools to declare. */
export function offeredTools(tools: ToolSet): readonly OfferedTool[] {
  return Object.entries(tools).map(([name, tool]) => ({
    name,
    description: stringOf(tool.description),
    parameters: schemaOf(tool),
    describedBy: isOfServer(tool) ? 'server' : undefined,
  }));
}

/**
 * Refuses a request that offers the model a tool that was not protected: its calls would run without a check. This happens if tools
 * are added after `protect()`, such as `{ ...tools, ...await mcp.tools() }`.
 */
export function checkOffered(tools: unknown, names: ReadonlySet<string>): void {
  for (const tool of listOf(tools).filter(isFields))
    if (!names.has(String(tool.name)))
      throw new Error(
        `The tool ${String(tool.name)} is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns.`,
      );
}

/** A call is looked for in the request that follows it, so that a few would do. */
const MAX_PROPOSED = 1000;

/**
 * Notices tools that ran without a check: those that were given to `protect()`, in place of those that it returned. Knows only calls
 * of answers that this process has seen; the others were checked where they were made.
 */
export class Unchecked {
  readonly #proposed = new BoundedMap<string, string>(MAX_PROPOSED);

  /** A part of an answer: a call that the provider runs itself has its own check. */
  propose(part: unknown): void {
    if (isFields(part) && part.type === 'tool-call' && part.providerExecuted !== true)
      this.#proposed.set(String(part.toolCallId), String(part.toolName));
  }

  /** The call has reached the gate. */
  check(callId: string): void {
    this.#proposed.delete(callId);
  }

  /** Refuses a history with the result of a call that never reached the gate. */
  require(prompt: readonly unknown[]): void {
    for (const { toolCallId, output } of resultsIn(prompt)) {
      const tool = this.#proposed.get(String(toolCallId));
      if (tool !== undefined && !isKnownFailure(output))
        throw new Error(
          `The tool ${tool} has run without a check. Use the tools that protect() returned, not those that were passed to it.`,
        );
    }
  }
}

function resultsIn(prompt: readonly unknown[]): Fields[] {
  return prompt
    .filter((message): message is Fields => isFields(message) && message.role === 'tool')
    .flatMap(({ content }) => listOf(content).filter(isFields))
    .filter(({ type }) => type === 'tool-result');
}

/** An input that does not fit the schema, or a tool that does not exist, is answered by the SDK before any tool is asked. */
function isKnownFailure(output: unknown): boolean {
  return isFields(output) && String(output.type).startsWith('error');
}

/** The ids of calls that a person has declined since the model's last answer: the SDK answers them itself, and no tool is asked. */
export function declinedIn(prompt: readonly unknown[]): readonly string[] {
  const last = prompt.findLastIndex((message) => isFields(message) && message.role === 'assistant');
  return resultsIn(prompt.slice(last + 1))
    .filter(({ output }) => isFields(output) && output.type === 'execution-denied')
    .map(({ toolCallId }) => String(toolCallId));
}
