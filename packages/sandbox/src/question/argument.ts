import { SandboxError } from '../errors.ts';

/** UTF-8 bytes of anything that a sub-model is handed. */
const ARGUMENT_BYTES = 10 * 1024;

/** A text that may be handed on. What is too long or broken is refused, never cut: half a question is another one. */
export function checkArgument(text: unknown, what: string): string {
  if (typeof text !== 'string' || !text.isWellFormed())
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', `${what} is not a text, or holds half a character.`);
  const size = Buffer.byteLength(text);
  if (size > ARGUMENT_BYTES)
    throw new SandboxError(
      'ERR_ARGUMENT_TOO_LARGE',
      `${what} has ${size} bytes, and ${ARGUMENT_BYTES} is the most. Ask about it piece by piece.`,
    );
  return text;
}
