import type { AbortSignalLike, Generate } from '@sallyport/core/adapter';
import { generateText, type LanguageModel } from 'ai';

export interface GenerateOptions {
  /** How long an answer may be. An answer that is cut off is an error. @default the provider's own limit */
  readonly maxTokens?: number;
}

/** Words may stand beside a call, so an answer that ends with one is whole. Any other ending, known or not, is not. */
const WHOLE: ReadonlySet<string> = new Set(['stop', 'tool-calls']);

/** The signal of core is any object with the two members that it needs; the SDK takes those of the platform alone. */
function platformSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}

/** The errors hold nothing of the answer: a model may be shown them. */
function answerOf(text: string, finishReason: string): string {
  if (!WHOLE.has(finishReason)) throw new Error('The model did not finish its answer, or refused it.');
  if (text.trim() === '') throw new Error('The model answered without text.');
  return text;
}

/**
 * Asks a model of any provider. A request holds one system text and one user message, never a tool; a call of a tool in the
 * answer is left out. The schema stands in the message alone: for `Output.object` some providers, Anthropic's and Bedrock's among
 * them, send a tool that the model has to call.
 */
export function generateWith(model: LanguageModel, options: GenerateOptions = {}): Generate {
  const { maxTokens } = options;
  return async ({ system, content, signal }) => {
    const { text, finishReason } = await generateText({
      model,
      // Version 6 does not know `instructions`; version 7 still takes `system`, and refuses it among the messages.
      system,
      prompt: content,
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(signal === undefined ? {} : { abortSignal: platformSignal(signal) }),
    });
    return answerOf(text, finishReason);
  };
}
