import { fieldsOf, finishedText, type Generate, listOf, platformSignal } from '@sallyport/core/adapter';

interface ModelObject {
  doGenerate(options: object): PromiseLike<unknown>;
}

function isModelObject(model: unknown): model is ModelObject {
  return typeof fieldsOf(model).doGenerate === 'function';
}

const COMPLETE: ReadonlySet<string> = new Set(['stop', 'tool-calls']);

/** Asks a model object of the AI SDK, without tools. */
function generateWith(model: ModelObject): Generate {
  return async ({ system, content, signal }) => {
    const answer = await model.doGenerate({
      prompt: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: content }] },
      ],
      ...(signal === undefined ? {} : { abortSignal: platformSignal<AbortSignal>(signal) }),
    });
    const parts = listOf(fieldsOf(answer).content).map(fieldsOf);
    const text = parts.map((part) => (part.type === 'text' ? String(part.text) : '')).join('');
    const { finishReason } = fieldsOf(answer);
    // A text up to version 3 of the specification of models, an object since then.
    const reason = String(fieldsOf(finishReason).unified ?? finishReason);
    return finishedText(text, COMPLETE.has(reason));
  };
}

/** The function that asks the agent's own model. A name, a list or a function says only when the agent runs which model it is. */
export function generateWithOwn(model: unknown): Generate {
  if (isModelObject(model)) return generateWith(model);
  throw new TypeError(
    '`judge: true` needs `model` to be a model object. Otherwise give a function that asks a model, such as generateWith() of @sallyport/ai-sdk.',
  );
}
