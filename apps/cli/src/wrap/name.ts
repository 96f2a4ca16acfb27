import { basename } from 'node:path';
import { isAddress, serverAddress } from '../address.ts';

/** Words that start a program but do not say which. */
const STARTERS =
  /^(?:npx|npm|pnpm|yarn|dlx|exec|node|tsx|bunx?|deno|run|uvx?|pipx|python[\d.]*|docker|podman|cmd|sh|bash|env)(?:\.exe|\.cmd)?$/i;
/** Options of these programs that take a value. The value is skipped: an environment variable may be a password. */
const VALUED =
  /^(?:-[cCelprvw]|--(?:env|env-file|volume|mount|name|network|workdir|entrypoint|label|platform|publish|package|user|require|import|loader|eval|conditions|from|with|directory|project|python))$/;
const MAX_NAME_LENGTH = 60;
const GENERIC = /^(?:index|main|server|cli|dist|build|lib|bin|src|out|\.+)?$/i;

/** The host of a server without what most hosts begin with. */
function hostName(address: string): string {
  return serverAddress(address)
    .host.replace(/^(?:www|mcp|api)\.(?=[^.]+\.)/, '')
    .replace(':', '-')
    .slice(0, MAX_NAME_LENGTH);
}

/** The default name of a server: the first word of its command that is specific to it. */
export function serverName(command: readonly string[]): string {
  const isOption = (word: string): boolean => word.startsWith('-') || word.toLowerCase() === '/c';
  const words = command.filter(
    (word, index) => !isOption(word) && !VALUED.test(command[index - 1] ?? '') && !STARTERS.test(basename(word)),
  );
  // Without the version: the pins of a server stay valid when it is updated.
  const plain = (each: string): string =>
    each.replace(/(?<=[^@])(?:@|==|:).*$/s, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
  if (isAddress(command[0])) return hostName(command[0] as string);
  const segments = (words[0] ?? '').split(/[\\/]/).map(plain);
  return (segments.findLast((each) => !GENERIC.test(each)) ?? 'server').slice(0, MAX_NAME_LENGTH);
}
