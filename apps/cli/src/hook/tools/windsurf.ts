import { type HostTools, READ, SHELL, WRITE } from './kinds.ts';

/** Windsurf does not name its tools: these are the names of its events. */
export const WINDSURF_TOOLS: HostTools = { run_command: SHELL, read_code: READ, write_code: WRITE };
