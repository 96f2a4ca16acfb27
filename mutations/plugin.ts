// Puts one mutation into the source as vitest loads it, so that the working tree is never edited.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { root } from '../tools/command.mjs';
import { mutate, readMutations } from './mutations.ts';

type Plugins = NonNullable<ViteUserConfig['plugins']>;

/** Without SALLYPORT_MUTATION no plugin at all; SALLYPORT_MUTATIONS may name another list than mutations/mutations.json. */
export function mutationPlugins(): Plugins {
  const id = process.env.SALLYPORT_MUTATION;
  if (id === undefined || id === '') return [];
  const mutation = readMutations(process.env.SALLYPORT_MUTATIONS).find((entry) => entry.id === id);
  if (mutation === undefined) throw new Error(`SALLYPORT_MUTATION names ${id}, which is not in the list of mutations`);
  const target = join(root, mutation.file);
  return [
    {
      name: 'sallyport-mutation',
      enforce: 'pre',
      load(path: string) {
        return path.split('?')[0] === target ? mutate(mutation, readFileSync(target, 'utf8')) : undefined;
      },
    },
  ];
}
