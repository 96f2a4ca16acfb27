/**
 * The codes of all errors. Each reports wrong use of the library; an attack in content never throws.
 *
 * @example
 * ```ts
 * const isMisuse: ErrorCode[] = ['ERR_INVALID_OPTION', 'ERR_STAGE_SKIPPED'];
 * ```
 */
export type ErrorCode =
  | 'ERR_CYCLE'
  | 'ERR_INVALID_CALL'
  | 'ERR_INVALID_CLASSIFIER'
  | 'ERR_INVALID_CONTENT'
  | 'ERR_INVALID_KEY'
  | 'ERR_INVALID_LABEL'
  | 'ERR_INVALID_NAME'
  | 'ERR_INVALID_OPTION'
  | 'ERR_INVALID_PROMPT'
  | 'ERR_INVALID_SNAPSHOT'
  | 'ERR_STAGE_SKIPPED';

// Registered with Symbol.for: one process may load two copies of the package, and `instanceof` fails between them.
const MARK = Symbol.for('sallyport.error');

/**
 * The only error class of the library. `code` is one of `ErrorCode`; the message names the expected value and the
 * remedy. Use `SallyportError.isInstance` rather than `instanceof`, which fails if a process loads two copies of the
 * package.
 *
 * @example
 * ```ts
 * try {
 *   await conversation.request({ policy });
 * } catch (error) {
 *   if (SallyportError.isInstance(error)) console.error(error.code, error.message);
 * }
 * ```
 */
export class SallyportError extends Error {
  override readonly name = 'SallyportError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, MARK, { value: true });
  }

  static isInstance(value: unknown): value is SallyportError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}

const MAX_SHOWN_LENGTH = 60;

function shorten(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text);
}

/** The type of a received value, for error messages about content and secrets: the value itself is not shown. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A received option, for error messages: a short value is shown, any other value is named by its type. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return shorten(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeType(value);
}

/** Throws `ERR_INVALID_OPTION`. */
export function refuse(message: string): never {
  throw new SallyportError('ERR_INVALID_OPTION', message);
}

/**
 * Refuses unknown option names. Otherwise a misspelt option would be ignored silently, and a stricter setting with it.
 */
export function checkOptionNames(options: object, allowed: readonly string[], where: string): void {
  const unknown = Object.keys(options).find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `${where} has no option ${shorten(unknown)}. The options are ${allowed.join(', ')}.`,
    );
}
