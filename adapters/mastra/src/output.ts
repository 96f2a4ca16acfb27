import type { Conversation } from '@sallyport/core';
import { isFields } from '@sallyport/core/adapter';

/** The parts of an answer, its texts without addresses that could carry data to strangers. */
export function sanitized<Part>(conversation: Conversation, parts: readonly Part[]): Part[] {
  return parts.map((part) =>
    isFields(part) && part.type === 'text' && typeof part.text === 'string'
      ? { ...part, text: conversation.sanitizeOutput(part.text).text }
      : part,
  );
}

/** The same for the parts of a stream. Only what may be the beginning of an address is held back. */
export function sanitizedParts(conversation: Conversation): TransformStream<unknown, unknown> {
  const texts = new Map<unknown, ReturnType<Conversation['outputStream']>>();
  const restOf = (id: unknown): readonly object[] => {
    const delta = texts.get(id)?.end() ?? '';
    texts.delete(id);
    return delta === '' ? [] : [{ type: 'text-delta', id, delta }];
  };
  return new TransformStream({
    transform(part, controller) {
      if (!isFields(part) || part.type !== 'text-delta') {
        if (isFields(part) && part.type === 'text-end') for (const rest of restOf(part.id)) controller.enqueue(rest);
        controller.enqueue(part);
        return;
      }
      const output = texts.get(part.id) ?? conversation.outputStream();
      texts.set(part.id, output);
      const delta = output.push(String(part.delta));
      if (delta !== '') controller.enqueue({ ...part, delta });
    },
    flush(controller) {
      for (const id of [...texts.keys()]) for (const rest of restOf(id)) controller.enqueue(rest);
    },
  });
}
