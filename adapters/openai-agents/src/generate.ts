import { getOrCreateTrace, type Model, type ModelRequest } from '@openai/agents';
import { fieldsOf, finishedText, type Generate, listOf, platformSignal } from '@sallyport/core/adapter';

function textOf(output: unknown): string {
  const contents = listOf(output)
    .map(fieldsOf)
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => listOf(content).map(fieldsOf));
  return contents.map(({ type, text }) => (type === 'output_text' ? String(text) : '')).join('');
}

/**
 * Creates a `Generate` function from a model, for `judgeWith`. A request contains instructions and one message of
 * the user, never a tool; tool calls in the answer are ignored.
 *
 * @example
 * ```ts
 * const generate = generateWith(await new OpenAIProvider().getModel('gpt-5-mini'));
 * ```
 */
export function generateWith(model: Pick<Model, 'getResponse'>): Generate {
  return async ({ system, content, signal }) => {
    const request: ModelRequest = {
      systemInstructions: system,
      input: content,
      modelSettings: {},
      tools: [],
      handoffs: [],
      outputType: 'text',
      tracing: false,
      ...(signal === undefined ? {} : { signal: platformSignal<AbortSignal>(signal) }),
    };
    // Models of the SDK ask only within a trace.
    const { output } = await getOrCreateTrace(() => model.getResponse(request));
    const isFinished = listOf(output)
      .map(fieldsOf)
      .every(({ status }) => status === undefined || status === 'completed');
    return finishedText(textOf(output), isFinished);
  };
}
