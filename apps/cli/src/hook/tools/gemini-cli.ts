import { AGENT, FETCH, type HostTools, LASTING, OWN, READ, SHELL, WEB_SEARCH, WRITE } from './kinds.ts';

/** https://geminicli.com/docs/reference/tools */
export const GEMINI_CLI_TOOLS: HostTools = {
  run_shell_command: SHELL,
  list_directory: READ,
  read_file: READ,
  read_many_files: READ,
  glob: READ,
  grep_search: READ,
  search_file_content: READ,
  get_internal_docs: READ,
  activate_skill: READ,
  write_file: { ...WRITE, modelText: ['ai_proposed_content', 'instruction'] },
  replace: { ...WRITE, modelText: ['instruction'] },
  web_fetch: FETCH,
  google_web_search: WEB_SEARCH,
  save_memory: LASTING,
  write_todos: OWN,
  ask_user: OWN,
  enter_plan_mode: OWN,
  exit_plan_mode: OWN,
  complete_task: OWN,
  delegate_to_agent: AGENT,
  invoke_agent: AGENT,
};
