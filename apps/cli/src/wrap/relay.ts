import type { Line, McpProxy } from '@sallyport/mcp-proxy';
import type { Streams } from './child.ts';
import { LineSink, readLines } from './message-stream.ts';
import type { Upstream, UpstreamLine } from './upstream.ts';

/** Relays lines in both directions until the server ends. Returns its exit code. */
export async function relay(
  server: Upstream,
  proxy: McpProxy,
  { input, output }: Streams,
  print: (text: string) => void,
): Promise<number> {
  const client = new LineSink(output);
  const wires = { toClient: (text: string) => client.write(text), toServer: (text: string) => server.write(text) };
  const fromClient = async (line: Line): Promise<void> => {
    // A line that cannot be read cannot be checked, so it is not passed on.
    if (line.type === 'line') await proxy.fromClient(line.text, wires);
    else client.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
    await server.drained();
  };
  const fromServer = async (line: UpstreamLine): Promise<void> => {
    if (line.type === 'failed') proxy.abandon(line.message, wires, line.id);
    else if (line.type === 'refused') await proxy.refuseFromServer(line, wires);
    else if (!(await proxy.fromServer(line.text, wires))) print(`${line.text}\n`);
    await client.drained();
  };
  const clientGone = readLines(input, fromClient)
    // The client's input broke off: for the server that is the end of its input.
    .catch(() => undefined)
    .then(() => server.end());
  await server.read(fromServer).catch(() => server.kill('SIGTERM'));
  const code = await server.ended;
  proxy.close();
  input.destroy();
  await clientGone;
  return code;
}
