import { type Fields, isFields, listOf } from '@sallyport/core/adapter';

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

/**
 * Notices tools that ran without a check: those that were given to `protect()`, in place of those that it returned. Knows only calls
 * of answers that this process has seen; the others were checked where they were made.
 */
export class Unchecked {
  readonly #proposed = new Map<string, string>();

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
