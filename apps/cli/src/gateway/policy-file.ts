import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Policy } from '@sallyport/gateway';
import { EXIT } from '../peer.ts';
import { CommandError } from '../terminal-text.ts';

// Loaded on demand: the other commands start faster without it.
function loadYaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}

function readText(path: string): string {
  try {
    // 0 is standard input.
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new CommandError(`cannot read ${path} (${code}).`, 'give --file a file that exists', EXIT.misused);
  }
}

/** The content of a policy file, in YAML or JSON. An empty file is an empty policy. */
export function readPolicyFile(path: string): unknown {
  const document = loadYaml().parseDocument(readText(path));
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new CommandError(`${path} is not valid YAML or JSON: ${problem.message}`, 'correct the file', EXIT.refused);
  return document.toJS() ?? {};
}

/** A policy as a file that can be applied again. */
export function policyFile(workspace: string, { version, body }: Policy): string {
  const isEmpty = Object.keys(body).length === 0;
  return `# Policy of ${workspace}, version ${version}\n${isEmpty ? '{}\n' : loadYaml().stringify(body)}`;
}
