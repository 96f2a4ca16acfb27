import { PassThrough } from 'node:stream';
import type { FailedRequest, RunningServer } from '../child.ts';
import { LineSink, readLines } from '../message-stream.ts';
import type { Upstream } from '../upstream.ts';

/** The lines of a remote server as bytes, as a process has them. */
export function bytesOf(server: Upstream): RunningServer {
  const input = new PassThrough();
  const output = new PassThrough();
  const sink = new LineSink(output);
  const listeners: ((failed: FailedRequest) => void)[] = [];
  void readLines(input, async (line) => {
    // A line that cannot be read was not passed on by the proxy.
    if (line.type === 'line') server.write(line.text);
    await server.drained();
  }).finally(() => server.end());
  void server
    .read(async (line) => {
      if (line.type === 'failed') for (const listener of listeners) listener(line);
      else if (line.type === 'line') sink.write(line.text);
      await sink.drained();
    })
    .finally(() => output.end());
  return {
    input,
    output,
    ended: server.ended,
    kill: (signal) => server.kill(signal),
    onFailed: (listener) => void listeners.push(listener),
  };
}
