import { expect, test } from 'vitest';
import { serverName } from '../src/wrap/name.ts';

const NAMES: readonly (readonly [command: string, name: string])[] = [
  ['npx -y @scope/server-x', 'server-x'],
  ['npx -y @scope/server-x /srv/notes', 'server-x'],
  ['npx.cmd -y @scope/server-x', 'server-x'],
  ['cmd /c npx -y @scope/server-x', 'server-x'],
  ['npx -p @scope/other server-x', 'server-x'],
  ['pnpm dlx @scope/server-x', 'server-x'],
  ['bunx server-x', 'server-x'],
  ['node weather/dist/index.js', 'weather'],
  ['node /opt/weather/build/src/main.mjs --port 1', 'weather'],
  ['/usr/bin/node --import tsx weather.ts', 'weather'],
  ['node ./dist/index.js', 'server'],
  ['python -m mcp_server_git --repository .', 'mcp_server_git'],
  ['python3.12 -u weather.py', 'weather'],
  ['uvx mcp-server-git', 'mcp-server-git'],
  ['uvx --from git+https://example.com/x mcp-server-git', 'mcp-server-git'],
  ['uv --directory /srv/weather run time.py', 'time'],
  ['docker run -i --rm mcp/github', 'github'],
  ['./bin/weather', 'weather'],
  ['weather.exe', 'weather'],
  ['node', 'server'],
];

test.each(NAMES)('%s is named %s', (command, name) => {
  expect(serverName(command.split(' '))).toBe(name);
});

/** A server keeps its pins when it is updated: otherwise every update would be pinned as new. */
const VERSIONS: readonly (readonly [command: string, name: string])[] = [
  ['npx -y @scope/server-x@latest', 'server-x'],
  ['npx -y @scope/server-x@1.2.3', 'server-x'],
  ['npx -y server-x@1.2.3', 'server-x'],
  ['uvx mcp-server-git==2.0', 'mcp-server-git'],
  ['uvx mcp-server-git@latest', 'mcp-server-git'],
  ['docker run -i mcp/github:1.0', 'github'],
  ['docker run -i mcp/github@sha256:0123', 'github'],
  ['docker run -i localhost:5000/mcp/github:1.0', 'github'],
];

test.each(VERSIONS)('the name does not contain the version: %s', (command, name) => {
  expect(serverName(command.split(' '))).toBe(name);
});

const SECRETS = [
  'docker run -i --rm -e TOKEN=hunter2 mcp/github',
  'docker run -i --rm --env TOKEN=hunter2 -e hunter2 -v /srv/hunter2:/data --name hunter2 mcp/github',
  'docker run --env=TOKEN=hunter2 -i mcp/github',
];

test.each(SECRETS)('no secret becomes a name: %s', (command) => {
  expect(serverName(command.split(' '))).toBe('github');
});

test('code does not become a name, and long names are cut', () => {
  expect(serverName(['node', '-e', 'process.stdin.resume()'])).toBe('server');
  expect(serverName(['sh', '-c', 'exec weather --key hunter2'])).toBe('server');
  expect(serverName(['x'.repeat(1000)])).toHaveLength(60);
});
