import { AGENT, DELETE, FETCH, type HostTools, OWN, READ, SHELL, WEB_SEARCH, WRITE } from './kinds.ts';

/** https://cursor.com/docs/hooks, "tool types" */
export const CURSOR_TOOLS: HostTools = {
  Shell: SHELL,
  Read: READ,
  List: READ,
  LS: READ,
  Glob: READ,
  Grep: READ,
  SemanticSearch: READ,
  ReadLints: READ,
  Write: WRITE,
  Edit: WRITE,
  MultiEdit: WRITE,
  StrReplace: WRITE,
  EditNotebook: WRITE,
  Delete: DELETE,
  Fetch: FETCH,
  WebFetch: FETCH,
  WebSearch: WEB_SEARCH,
  Task: AGENT,
  TodoWrite: OWN,
  AskQuestion: OWN,
  SwitchMode: OWN,
};
