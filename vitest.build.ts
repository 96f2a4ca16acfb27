import { execFileSync } from 'node:child_process';

/** Builds the packages once, because programs and threads that tests start run the build. Takes a second if nothing changed. */
export function setup(): void {
  const tsc = ['node_modules/typescript/bin/tsc', '-b'];
  for (const program of [tsc, ['apps/console/build.mjs'], ['apps/cli/build.mjs']])
    execFileSync(process.execPath, program, { stdio: 'inherit' });
}
