import { execFileSync } from 'node:child_process';

/** Builds the packages once, in a second where nothing changed: programs and threads that tests start run what was built. */
export function setup(): void {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { stdio: 'inherit' });
}
