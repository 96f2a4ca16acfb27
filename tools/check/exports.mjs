// Checks that the package sallyport exports few names, and that the doc comment of each has an example.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { writeFigures } from '../figures.mjs';

const MAX_VALUES = 15;
const MAX_NAMES = 35;

const options = readOptions(
  `
Checks that the doc comment of everything that the package sallyport exports, values and types, has an @example, and
that it exports at most ${MAX_VALUES} values and ${MAX_NAMES} names.

  node tools/check/exports.mjs
  node tools/check/exports.mjs --write   also writes the figures house.public_values and house.public_names
`,
  { write: { type: 'boolean' } },
);

const ts = createRequire(import.meta.url)('typescript-5.4');
const MAIN = 'sallyport';

/** Entries by their specifier, with the source file of each. */
function publicEntries() {
  const entries = new Map();
  for (const parent of ['packages', 'adapters', 'apps', 'contrib'])
    for (const dir of readdirSync(join(root, parent)).map((name) => join(root, parent, name))) {
      if (!existsSync(join(dir, 'package.json'))) continue;
      const { name, private: isPrivate, exports = {} } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
      for (const [path, target] of Object.entries(exports)) {
        const source = target['@sallyport/source'];
        if (!isPrivate && source !== undefined) entries.set(name + path.slice(1), join(dir, source));
      }
    }
  return entries;
}

/** Only files of this repository are resolved: frameworks are not needed to know what is exported. */
function createProgram(entries) {
  const options = {
    noLib: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    jsx: ts.JsxEmit.Preserve,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNames = (names, from) =>
    names.map((name) => {
      const file = name.startsWith('.') ? join(dirname(from), name) : entries.get(name);
      const extension = file?.endsWith('x') ? ts.Extension.Tsx : ts.Extension.Ts;
      return file === undefined ? undefined : { resolvedFileName: file, extension };
    });
  return ts.createProgram([...entries.values()], { ...options, allowImportingTsExtensions: true }, host);
}

/** The declarations of an export, where they are written; none if an import on the way does not exist. */
function declarationsOf(checker, exported) {
  let symbol = exported;
  while (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getImmediateAliasedSymbol(symbol);
  return symbol?.declarations ?? [];
}

const hasExample = (declaration) => ts.getJSDocTags(declaration).some((tag) => tag.tagName.text === 'example');

const entries = publicEntries();
const program = createProgram(entries);
const checker = program.getTypeChecker();
const main = checker.getSymbolAtLocation(program.getSourceFile(entries.get(MAIN)));
const exported = checker.getExportsOfModule(main);
const missing = exported.filter((each) => !declarationsOf(checker, each).some(hasExample));
for (const { name } of missing) console.error(`${MAIN} exports ${name}, whose doc comment has no @example`);
if (exported.length === 0) fail('no export was read: the check itself is broken', 'see publicEntries', 2);
if (missing.length > 0) fail(`${missing.length} exports have no example`, 'add one to the doc comment of each');
const values = exported.filter(({ name }) => /^(?:[a-z]|SallyportError$)/.test(name)).length;
if (values > MAX_VALUES || exported.length > MAX_NAMES)
  fail(`${MAIN} exports ${values} values and ${exported.length} names`, 'export rare ones from another package');
if (options.write) {
  const of = (value) => ({ value, unit: 'names', command: 'npm run check -- exports --write' });
  writeFigures({ 'house.public_values': of(values), 'house.public_names': of(exported.length) });
}
console.log(`OK - ${exported.length} exports of ${MAIN}, ${values} of them values, have an example`);
