// The exports of every published entry, each with its kind and whether its doc comment has an example.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from '../command.mjs';

const ts = createRequire(import.meta.url)('typescript-5.4');

/**
 * @typedef {object} Exported
 * @property {string} entry such as `sallyport` or `@sallyport/core/text`
 * @property {string} name
 * @property {boolean} isValue exists at run time
 * @property {boolean} hasExample
 * @property {string} place file and line of the declaration; two exports with the same place are the same thing
 */

/** Entries by their specifier, with the source file of each. */
function publicEntries() {
  const entries = new Map();
  for (const parent of ['packages', 'adapters'])
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

const isTypeOnly = (declaration) =>
  ts.isExportSpecifier(declaration) && (declaration.isTypeOnly || declaration.parent.parent.isTypeOnly);

/** The declared thing, and whether it is a value all the way from the entry to the declaration. */
function resolve(checker, exported) {
  let symbol = exported;
  let isValue = true;
  while (symbol.flags & ts.SymbolFlags.Alias) {
    if (symbol.declarations?.some(isTypeOnly)) isValue = false;
    symbol = checker.getImmediateAliasedSymbol(symbol);
  }
  return { symbol, isValue: isValue && (symbol.flags & ts.SymbolFlags.Value) !== 0 };
}

const hasExample = (declaration) => ts.getJSDocTags(declaration).some((tag) => tag.tagName.text === 'example');

/** @returns {Exported[]} */
export function readExports() {
  const entries = publicEntries();
  const program = createProgram(entries);
  const checker = program.getTypeChecker();
  return [...entries].flatMap(([entry, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    return checker.getExportsOfModule(module).map((exported) => {
      const { symbol, isValue } = resolve(checker, exported);
      const declarations = symbol.declarations ?? [];
      if (declarations.length === 0) throw new Error(`${entry} exports ${exported.name}, which has no declaration`);
      const source = declarations[0].getSourceFile();
      const line = source.getLineAndCharacterOfPosition(declarations[0].getStart(source)).line + 1;
      const place = `${source.fileName.slice(root.length)}:${line}`;
      return { entry, name: exported.name, isValue, hasExample: declarations.some(hasExample), place };
    });
  });
}
