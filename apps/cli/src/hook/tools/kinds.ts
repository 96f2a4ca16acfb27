import type { ToolDefinition } from '@sallyport/core';
import type { Fields } from '@sallyport/core/adapter';

/** The declaration of a host's tool, without its name. */
export type HostTool = Omit<ToolDefinition, 'name' | 'parameters'>;

/** The built-in tools of a host by name. What some of them do depends on their arguments. */
export type HostTools = Readonly<Record<string, HostTool | ((given: Fields) => HostTool)>>;

/** Runs a command. It can print what others wrote: a page, a log, a commit message. */
export const SHELL: HostTool = {
  effect: 'execute',
  origin: 'external',
  roles: { command: 'command' },
  modelText: ['description', 'explanation', 'goal'],
};

/** Reads or finds files. */
export const READ: HostTool = { effect: 'read', origin: 'workspace' };

/** Prints what a command that was checked when it started has printed since. */
export const OUTPUT: HostTool = { effect: 'read', origin: 'external' };

/** Lists, plans and questions of the host itself: nothing happens outside of it. */
export const OWN: HostTool = { effect: 'read', origin: 'workspace' };

/** Writes a file. What is replaced is in the file already, so it says nothing about who chose the call. */
export const WRITE: HostTool = {
  effect: 'write',
  origin: 'workspace',
  roles: {
    file_path: 'path',
    filePath: 'path',
    old_string: 'choice',
    oldString: 'choice',
    new_string: 'text',
    newString: 'text',
    content: 'text',
    edits: 'text',
    code: 'text',
    new_source: 'text',
  },
};

/** Changes the files that a patch names. */
export const PATCH: HostTools[string] = ({ patch }) =>
  typeof patch === 'string' && /^\s*\*\*\* Delete File: /m.test(patch)
    ? DELETE
    : { ...WRITE, roles: { ...WRITE.roles, patch: 'text' } };

export const DELETE: HostTool = { effect: 'destroy', origin: 'workspace' };

/** Gets a page, which is public and which others wrote. */
export const FETCH: HostTool = {
  effect: 'fetch',
  origin: 'external',
  confidentiality: 'public',
  roles: { url: 'url', urls: 'url' },
  modelText: ['prompt', 'query'],
};

/** Asks a server for what an address of its own names. What is in the address goes there. */
export const RESOURCE: HostTool = { effect: 'fetch', origin: 'external', roles: { uri: 'url' } };

/** Asks a search engine. */
export const WEB_SEARCH: HostTool = {
  effect: 'fetch',
  origin: 'external',
  confidentiality: 'public',
  modelText: ['query', 'search_term', 'explanation'],
};

/** Starts another agent. Its calls are events of the same session, so each of them is checked. */
export const AGENT: HostTool = { effect: 'read', origin: 'external' };

/** Keeps something that later sessions read or that acts later. */
export const LASTING: HostTool = { effect: 'configure', origin: 'workspace' };
