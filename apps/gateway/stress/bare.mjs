// The least that a gateway over HTTP can be: it copies bytes.
import { Agent, createServer, request as send } from 'node:http';

const target = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const server = createServer((incoming, outgoing) => {
  const { hostname, port } = target;
  const { host, ...headers } = incoming.headers;
  const forward = send({ hostname, port, path: '/mcp', method: incoming.method, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forward.on('error', () => outgoing.destroy());
  incoming.pipe(forward);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
