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

interface TextPiece {
  readonly type: string;
  readonly id: string;
  readonly delta?: string;
}

/** The same for the parts of a stream. Only what may be the beginning of an address is held back. */
export function sanitizedParts<Part extends { readonly type: string }>(
  conversation: Conversation,
): TransformStream<Part, Part> {
  const texts = new Map<string, ReturnType<Conversation['outputStream']>>();
  return new TransformStream({
    transform(part, controller) {
      const { type, id, delta } = part as unknown as TextPiece;
      const send = (text: string): void => {
        if (text !== '') controller.enqueue({ type: 'text-delta', id, delta: text } as unknown as Part);
      };
      if (type === 'text-delta') {
        const output = texts.get(id) ?? conversation.outputStream();
        texts.set(id, output);
        const shown = output.push(String(delta));
        if (shown !== '') controller.enqueue({ ...part, delta: shown });
        return;
      }
      if (type === 'text-end') {
        send(texts.get(id)?.end() ?? '');
        texts.delete(id);
      }
      controller.enqueue(part);
    },
    flush(controller) {
      for (const [id, output] of texts) {
        const delta = output.end();
        if (delta !== '') controller.enqueue({ type: 'text-delta', id, delta } as unknown as Part);
      }
    },
  });
}
