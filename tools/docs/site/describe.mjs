// Generates the API reference from the sources with typedoc, which needs the compiler interface of TypeScript 6.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { described } from '../../../site/contents.mjs';
import { root, run } from '../../command.mjs';

const OPTIONS = {
  entryPointStrategy: 'resolve',
  entryPoints: described.map((dir) => join(root, dir, 'src', 'index.ts')),
  plugin: ['typedoc-plugin-markdown'],
  name: 'API reference',
  readme: 'none',
  router: 'module',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'list',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  githubPages: false,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
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
  files: described.map((dir) => `../../${dir}/src/index.ts`),
};

const nameOf = (dir) => JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')).name;
const pageOf = (dir) => nameOf(dir).replace('@sallyport/', '');
/** A link from one page of typedoc to another. */
const LINK = /\]\((?:\.\.\/)*(?:(packages|adapters)\/)?([\w-]+)\/src\.md/g;

/** A link to the nth heading of a name. Typedoc counts members of classes as headings, which they are not here. */
const COUNTED = /\]\((?:\/api\/([\w-]+))?#([a-z]+)-(\d+)\)/g;
const timesIn = (text, heading) =>
  [...text.matchAll(/^#+ (\w+)/gm)].filter(([, name]) => name.toLowerCase() === heading).length;

/** Typedoc names a page after its source file; the site names it after the package. */
function renamed(folder, dir) {
  const [parent] = dir.split('/');
  const read = (of) => readFileSync(join(folder, of, 'src.md'), 'utf8');
  const text = read(dir);
  const textOf = (page) => (page === undefined ? text : read(described.find((of) => pageOf(of) === page)));
  const body = text
    .replace(/^# .*\n/, '')
    .replace(LINK, (_, from = parent, name) => `](/api/${pageOf(`${from}/${name}`)}`)
    .replace(COUNTED, (link, page, heading, count) =>
      timesIn(textOf(page), heading) > Number(count) ? link : link.replace(/-\d+\)$/, ')'),
    );
  return `---\nsource: ${dir}/src/index.ts\noutline: [2, 3]\n---\n# ${nameOf(dir)}\n${body}`;
}

/**
 * Writes a page per package into a folder.
 * @param {string} out
 * @returns {Promise<string | undefined>} the error output of typedoc, if it failed
 */
export async function describe(out) {
  const site = join(root, 'site');
  const scratch = join(site, '.typedoc');
  mkdirSync(scratch, { recursive: true });
  mkdirSync(out, { recursive: true });
  const [config, options, made] = ['tsconfig.json', 'options.json', 'made'].map((name) => join(scratch, name));
  writeFileSync(config, JSON.stringify(CONFIG));
  writeFileSync(options, JSON.stringify({ ...OPTIONS, tsconfig: config, out: made }));
  const program = join(site, 'node_modules/typedoc/bin/typedoc');
  const { code, output } = await run(process.execPath, [program, '--options', options], { cwd: site });
  if (code === 0) {
    for (const dir of described) writeFileSync(join(out, `${pageOf(dir)}.md`), renamed(made, dir));
    const list = described.map((dir) => `- [${nameOf(dir)}](/api/${pageOf(dir)})`).join('\n');
    writeFileSync(
      join(out, 'index.md'),
      `# API reference\n\nGenerated from the sources, one page per package.\n\n${list}\n`,
    );
  }
  rmSync(scratch, { recursive: true });
  return code === 0 ? undefined : output;
}
