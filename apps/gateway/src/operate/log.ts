import { type Logger, pino } from 'pino';
import { type RequestOrigin, requestOrigin } from '../request-origin.ts';

/** The fields of a log line: names, numbers and codes. Content, arguments, headers and secrets must never be logged. */
interface LogFields extends Partial<RequestOrigin> {
  readonly server?: string;
  readonly command?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly code?: string;
  readonly outcome?: string;
  readonly rule?: string;
  readonly count?: number;
}

/** Receives the log lines of a replica. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Adds the origin of the current request to each line. */
export function withOrigin(log: Log): Log {
  const add = (fields: LogFields = {}): LogFields => ({ ...requestOrigin(), ...fields });
  return {
    info: (message, fields) => log.info(message, add(fields)),
    warn: (message, fields) => log.warn(message, add(fields)),
    error: (message, fields) => log.error(message, add(fields)),
  };
}

/** The name and code of an error, without its message, which may quote what a caller or a server sent. */
export function codeOf(cause: unknown): string {
  const { name, code } = (cause ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const words = [name, code].filter((each): each is string => typeof each === 'string' && /^[\w.-]{1,60}$/.test(each));
  return words.join(' ') || 'unknown';
}

/**
 * Creates a log that writes one JSON object per line to standard output.
 *
 * @example
 * ```ts
 * const log = createLog('info');
 * log.info('request', { method: 'GET', path: '/health', status: 200 });
 * ```
 */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    (destination as never) ?? pino.destination(1),
  );
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
}
