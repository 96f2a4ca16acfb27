import { type Logger, pino } from 'pino';

/** What may stand in a log line: names, numbers and codes of our own. Content, arguments, headers and secrets may not. */
interface LogFields {
  readonly workspace?: string;
  readonly server?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly code?: string;
  readonly count?: number;
}

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** What an error is called, without its words: these may quote what somebody sent. */
export function codeOf(cause: unknown): string {
  const { name, code } = (cause ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  const said = [name, code].filter((each): each is string => typeof each === 'string' && /^[\w.-]{1,60}$/.test(each));
  return said.join(' ') || 'unknown';
}

/** Lines of JSON on standard output. */
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
