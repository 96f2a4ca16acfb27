// Generates the API reference from the sources with typedoc, which needs the compiler interface of TypeScript 6.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { described } from '../../../site/contents.mjs';
import { root, run } from '../../command.mjs';
import { arrange } from './reference.mjs';

const manifestOf = (dir) => JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8'));

/** The entries of the described packages: what a program imports, and its source. Weights are data. */
const ENTRIES = described.flatMap((dir) => {
  const { name, exports, description: about } = manifestOf(dir);
  return Object.entries(exports).flatMap(([path, target]) =>
    target['@sallyport/source'] === undefined || path === './weights'
      ? []
      : [{ dir, specifier: name + path.slice(1), file: join(dir, target['@sallyport/source']), about }],
  );
});

const { repository } = manifestOf('packages/core');
const SOURCES = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/{path}#L{line}`;

const OPTIONS = {
  entryPointStrategy: 'resolve',
  entryPoints: ENTRIES.map(({ file }) => join(root, file)),
  plugin: ['typedoc-plugin-markdown'],
  name: 'API reference',
  readme: 'none',
  router: 'member',
  basePath: root,
  disableGit: true,
  sourceLinkTemplate: SOURCES,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'list',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  githubPages: false,
  sort: ['alphabetical'],
  logLevel: 'Warn',
  treatWarningsAsErrors: false,
};

const CONFIG = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    jsx: 'react-jsx',
    composite: false,
    declaration: true,
    noEmit: true,
    skipLibCheck: true,
    customConditions: ['@sallyport/source'],
    lib: ['ES2023', 'ES2024.String', 'DOM'],
    types: ['node'],
    typeRoots: ['../../node_modules/@types'],
  },
  files: ENTRIES.map(({ file }) => `../../${file}`),
};

/**
 * Writes the reference into a folder: an index, and for each package a page or, if it is large, a page per module.
 * @param {string} out
 * @returns {Promise<string | undefined>} the error output of typedoc, if it failed
 */
export async function describe(out) {
  const site = join(root, 'site');
  const scratch = join(site, '.typedoc');
  mkdirSync(scratch, { recursive: true });
  const [config, options, made] = ['tsconfig.json', 'options.json', 'made'].map((name) => join(scratch, name));
  writeFileSync(config, JSON.stringify(CONFIG));
  writeFileSync(options, JSON.stringify({ ...OPTIONS, tsconfig: config, out: made }));
  const program = join(site, 'node_modules/typedoc/bin/typedoc');
  const { code, output } = await run(process.execPath, [program, '--options', options], { cwd: site });
  if (code === 0)
    for (const [path, text] of arrange(made, ENTRIES)) {
      const file = join(out, `${path}.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  rmSync(scratch, { recursive: true });
  return code === 0 ? undefined : output;
}
