// The files other than manifests that contain the version, and the number of occurrences.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.mjs';

const OCCURRENCES = {
  'docs/operations.md': 1,
  'apps/gateway/chart/Chart.yaml': 2,
  'apps/gateway/chart/values.yaml': 1,
  'apps/gateway/compose.yaml': 3,
  'apps/gateway/src/upstream/shared.ts': 1,
};

function patternOf(version) {
  return new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.])`, 'g');
}

/**
 * @param {string} version
 * @returns {string[]} one line for each file with another number of occurrences
 */
export function versionFileProblems(version) {
  return Object.entries(OCCURRENCES)
    .map(([file, times]) => ({
      ...{ file, times },
      found: [...readFileSync(join(root, file), 'utf8').matchAll(patternOf(version))].length,
    }))
    .filter(({ times, found }) => found !== times)
    .map(({ file, times, found }) => `${file} must name the version ${version} ${times} times; it does ${found} times`);
}

/**
 * @param {string} before
 * @param {string} after
 */
export function updateVersion(before, after) {
  for (const file of Object.keys(OCCURRENCES)) {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(root, file), text.replace(patternOf(before), after));
  }
}
