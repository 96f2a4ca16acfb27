// Starts the official server over HTTP on a free port, and prints the port once it listens.
import { createServer } from 'node:net';

const probe = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => probe.once('listening', resolve));
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));
process.env.PORT = String(port);
console.log = console.error;
process.argv[2] = 'streamableHttp';
await import('@modelcontextprotocol/server-everything/dist/index.js');
for (;;) {
  const isUp = await fetch(`http://127.0.0.1:${port}/mcp`).then(
    () => true,
    () => false,
  );
  if (isUp) break;
  await new Promise((resolve) => setTimeout(resolve, 20));
}
process.stdout.write(`${port}\n`);
