/** Every way this library can be misused. An injection is a value and never one of these. */
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

// Registered, not unique: two copies of the package will meet in one process, and `instanceof` fails between them.
const MARK = Symbol.for('sallyport.error');

/** The one error class. `code` is closed, the message says what to do next, `cause` is kept. */
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

/** Refuses a name that is none of the options. Misspelt, a stricter setting would be passed over, and nobody would know. */
export function checkOptionNames(options: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `${where} has no option ${JSON.stringify(unknown.slice(0, 60))}: see ${known.join(', ')}.`,
    );
}
