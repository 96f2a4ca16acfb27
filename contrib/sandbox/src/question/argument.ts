import { SandboxError } from '../errors.ts';

/** Maximum UTF-8 bytes of each text for a sub-model. */
const MAX_ARGUMENT_BYTES = 10 * 1024;

/** Checks a text for a sub-model. A text that is too long or malformed is refused, never cut: a cut question has another meaning. */
export function checkArgument(text: unknown, what: string): string {
  if (typeof text !== 'string' || !text.isWellFormed())
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', `${what} must be a string of whole characters.`);
  const size = Buffer.byteLength(text);
  if (size > MAX_ARGUMENT_BYTES)
    throw new SandboxError(
      'ERR_ARGUMENT_TOO_LARGE',
      `${what} must have at most ${MAX_ARGUMENT_BYTES} bytes; received ${size}. Ask about it in parts.`,
    );
  return text;
}
