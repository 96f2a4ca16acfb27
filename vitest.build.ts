import { execFileSync } from 'node:child_process';

/** Builds the packages once, because programs and threads that tests start run the build. Takes a second if nothing changed. */
export function setup(): void {
  for (const program of [['node_modules/typescript/bin/tsc', '-b'], ['packages/console/build.mjs']])
    execFileSync(process.execPath, program, { stdio: 'inherit' });
}
