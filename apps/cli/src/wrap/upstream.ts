import type { Line } from '@sallyport/mcp-proxy';
import type { FailedRequest, RunningServer } from './child.ts';
import { LineSink, readLines } from './message-stream.ts';

/** A line of a server, or the failure of a request that it did not answer. */
export type UpstreamLine = Line | ({ readonly type: 'failed' } & FailedRequest);

/** The server behind the proxy, wherever it runs. Every line is one message. */
export interface Upstream {
  /** Sends a line to the server. Without effect when the server has ended. */
  write(text: string): void;
  /** Waits until the server can take more lines. */
  drained(): Promise<void>;
  /** Tells the server that no line follows. */
  end(): void;
  /** Passes every line of the server to `onLine`, and reads no further until the returned promise settles. */
  read(onLine: (line: UpstreamLine) => Promise<void>): Promise<void>;
  /** Resolves with the exit code when the server has ended. */
  readonly ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

/** The bytes of a server as lines. */
export function linesOf(server: RunningServer): Upstream {
  const { input, output, ended } = server;
  const sink = new LineSink(input);
  return {
    write: (text) => sink.write(text),
    drained: () => sink.drained(),
    end: () => input.end(),
    read: (onLine) => {
      server.onFailed?.((failed) => void onLine({ type: 'failed', ...failed }));
      return readLines(output, onLine);
    },
    ended,
    kill: (signal) => server.kill(signal),
  };
}
