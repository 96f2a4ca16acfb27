// What an agent does in a session, in words that all hosts share. Each host has tools of its own for it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { callsFor, copyPackage } from '../gate/coding.mjs';

export type Step =
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'list'; readonly path: string }
  | { readonly do: 'find'; readonly pattern: string }
  | { readonly do: 'search'; readonly pattern: string }
  | { readonly do: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly do: 'write'; readonly path: string; readonly content: string }
  | { readonly do: 'shell'; readonly command: string }
  | { readonly do: 'fetch'; readonly url: string }
  | { readonly do: 'web-search'; readonly query: string }
  | { readonly do: 'mcp'; readonly server: string; readonly tool: string; readonly arguments: object };

/** A step with what it returned. */
export interface Done {
  readonly step: Step;
  readonly text: string;
}

const LIMIT_MS = 20_000;

function run(command: string, folder: string): string {
  const identity = { GIT_AUTHOR_NAME: 'ann', GIT_AUTHOR_EMAIL: 'ann@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'ann', GIT_COMMITTER_EMAIL: 'ann@example.org' };
  const { stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, ...identity, ...committer },
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  return `${stdout}${stderr}`;
}

/** Does what a step says, in a folder of its own, and returns what an agent would read. */
function perform(step: Step, folder: string): string {
  switch (step.do) {
    case 'read':
      return readFileSync(step.path, 'utf8');
    case 'list':
      return readdirSync(step.path).join('\n');
    case 'find':
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('.git') && (step.pattern === '**/*' || name.endsWith('.js')))
        .join('\n');
    case 'edit':
      writeFileSync(step.path, readFileSync(step.path, 'utf8').replace(step.old, step.new));
      return `The file ${step.path} has been updated.`;
    case 'write':
      mkdirSync(dirname(step.path), { recursive: true });
      writeFileSync(step.path, step.content);
      return `File created successfully at: ${step.path}`;
    case 'shell':
      return run(step.command, folder);
    default:
      throw new TypeError(`${step.do} is not part of everyday sessions`);
  }
}

type Given = Readonly<Record<string, unknown>>;

/** The steps of a call to the servers that the same sessions use under `sallyport wrap`. */
function stepsOf([, tool, given]: readonly [string, string, Given]): readonly Step[] {
  const path = String(given.path);
  switch (tool) {
    case 'list_directory':
      return [{ do: 'list', path }];
    case 'directory_tree':
      return [{ do: 'find', pattern: '**/*' }];
    case 'read_text_file':
      return [{ do: 'read', path }];
    case 'search_files':
      return [{ do: 'find', pattern: String(given.pattern) }];
    case 'edit_file': {
      const [{ oldText = '', newText = '' } = {}] = given.edits as readonly { oldText?: string; newText?: string }[];
      return [{ do: 'edit', path, old: oldText, new: newText }];
    }
    case 'write_file':
      return [{ do: 'write', path, content: String(given.content) }];
    case 'move_file':
      return [{ do: 'shell', command: 'mv NOTES.md docs-notes.md' }];
    case 'read_multiple_files':
      return (given.paths as readonly string[]).map((each) => ({ do: 'read', path: each }));
    default:
      return [{ do: 'shell', command: String(given.command) }];
  }
}

/** Plays the everyday session of a package once, and returns what every step returned. */
export function everydaySession(name: string): { readonly folder: string; readonly done: readonly Done[] } {
  const folder = copyPackage(name);
  const calls = callsFor(folder, 'shell') as readonly (readonly [string, string, Given])[];
  const done = calls.flatMap(stepsOf).map((step) => ({ step, text: perform(step, folder) }));
  return { folder, done };
}
