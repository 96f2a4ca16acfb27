import { AGENT, type HostTools, OUTPUT, OWN, PATCH, READ, RESOURCE, SHELL, WEB_SEARCH } from './kinds.ts';

/** https://learn.chatgpt.com/docs/hooks, and codex-rs/core/src/tools: all shells are called Bash in hooks. */
export const CODEX_TOOLS: HostTools = {
  Bash: SHELL,
  write_stdin: SHELL,
  apply_patch: PATCH,
  view_image: READ,
  web_search: WEB_SEARCH,
  list_mcp_resources: OUTPUT,
  list_mcp_resource_templates: OUTPUT,
  read_mcp_resource: RESOURCE,
  spawn_agent: AGENT,
  send_input: AGENT,
  resume_agent: AGENT,
  wait_agent: OUTPUT,
  close_agent: OWN,
  update_plan: OWN,
  request_user_input: OWN,
};
