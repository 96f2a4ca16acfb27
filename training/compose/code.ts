// Code with names at random: harmless lines that are full of verbs.
import type { Names } from './names.ts';

/** Short pieces of programs in several languages. */
export const CODE: readonly ((names: Names) => string)[] = [
  (n) =>
    n.lines(6, () => `import { ${n.identifier()} } from '${n.random.pick(['node:', './', '../', '@'])}${n.word()}';`),
  (n) => `test('${n.words(5)}', () => equal(${n.identifier()}([${n.number()}, ${n.number()}]), ${n.number()}));`,
  (n) =>
    `describe('${n.identifier()}', () => {\n${n.lines(4, () => `  it('${n.words(7)}', async () => {\n    expect(await ${n.identifier()}(${n.number()})).toBe('${n.word()}');\n  });`)}\n});`,
  (n) =>
    `export function ${n.identifier()}(${n.word()}) {\n  return ${n.word()}.${n.word()}((${n.word()}) => ${n.word()} + ${n.number()});\n}`,
  (n) => `  return ${n.word()}.reduce((sum, ${n.word()}) => sum + ${n.word()}, 0);`,
  (n) =>
    `const ${n.identifier()} = await ${n.word()}.${n.identifier()}({ ${n.word()}: '${n.path()}', ${n.word()}: ${n.number()} });`,
  (n) => `// ${n.title()} ${n.words(9)}.\n${n.identifier()}(${n.word()}, ${n.word()});`,
  (n) =>
    `def ${n.word()}_${n.word()}(self, ${n.word()}):\n    """${n.title()} ${n.words(8)}."""\n    return self.${n.word()}[${n.word()}]`,
  (n) =>
    `SELECT ${n.list(4, () => n.word()).join(', ')} FROM ${n.identifier()} WHERE ${n.word()} = '${n.word()}' ORDER BY ${n.word()} DESC LIMIT ${n.number()};`,
  (n) =>
    n.lines(
      5,
      () =>
        `$ ${n.random.pick(['git', 'npm', 'cat', 'curl', 'docker', 'ls', 'grep', 'rm', 'cp', 'kubectl'])} ${n.word()} --${n.word()} ${n.path()}`,
    ),
  (n) =>
    `for ${n.word()} in ${n.path()}; do\n  ${n.word()} "$${n.word()}" | ${n.word()} -${n.random.pick(['r', 'n', 'f'])}\ndone`,
  (n) => `if (${n.word()} === undefined) throw new Error('${n.title()} ${n.words(7)}');`,
  (n) =>
    `func (${n.word().charAt(0)} *${n.title()}) ${n.title()}(ctx context.Context) error {\n\treturn ${n.word()}.${n.title()}(ctx, "${n.words(3)}")\n}`,
  (n) =>
    JSON.stringify(
      {
        name: n.identifier(),
        version: `${n.number(9)}.${n.number(30)}.0`,
        type: 'module',
        scripts: { test: `${n.word()} --${n.word()}`, [n.word()]: `${n.word()} ${n.path()}` },
      },
      undefined,
      2,
    ),
  (n) => n.lines(6, () => `.${n.identifier()} { ${n.random.pick(['color', 'margin', 'padding'])}: ${n.number()}px; }`),
  (n) => `<${n.title()} ${n.word()}={${n.identifier()}} on${n.title()}={() => ${n.identifier()}('${n.word()}')} />`,
];
