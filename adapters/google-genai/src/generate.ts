import type { Models } from '@google/genai';
import { finishedText, type Generate, platformSignal } from '@sallyport/core/adapter';

/** The part of a client that `generateWith` needs. */
export interface ModelsClient {
  readonly models: Pick<Models, 'generateContent'>;
}

/**
 * Creates a `Generate` function from a model, for `judgeWith`. A request contains one system instruction and one
 * message of the user, never a tool; function calls in the answer are ignored.
 *
 * @example
 * ```ts
 * const generate = generateWith(new GoogleGenAI({ apiKey }), 'gemini-2.5-flash');
 * ```
 */
export function generateWith(client: ModelsClient, model: string): Generate {
  return async ({ system, content, signal }) => {
    const { text, candidates } = await client.models.generateContent({
      model,
      contents: content,
      config: {
        systemInstruction: system,
        ...(signal === undefined ? {} : { abortSignal: platformSignal<AbortSignal>(signal) }),
      },
    });
    return finishedText(text, candidates?.[0]?.finishReason === 'STOP');
  };
}
