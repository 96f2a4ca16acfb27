// Applies one mutation to the source when vitest loads it, so that the working tree is never changed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { root } from '../tools/command.mjs';
import { mutate, readMutations } from './mutations.ts';

type Plugins = NonNullable<ViteUserConfig['plugins']>;

/** No plugin without SALLYPORT_MUTATION; SALLYPORT_MUTATIONS may name another list than mutations/mutations.json. */
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
