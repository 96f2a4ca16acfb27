// Packs packages of this checkout into files that another project can install while they are not on a registry.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, progress, root } from '../command.mjs';
import { build, pack, publicPackages, withNeeded } from './packages.mjs';

const HELP = `
Builds, packs the named packages and those of ours that they depend on into tarballs/, and prints the command that installs
them in your project, or for cli and gateway with -g. Without a name: sallyport.

  npm run tarballs -- ai-sdk            sallyport with the adapter for the AI SDK
  npm run tarballs -- cli gateway       the command line, and the team's service
  npm run tarballs -- --all             everything
`;

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' }, all: { type: 'boolean' } } });
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), 'see --help', 2);
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(HELP.trim());
  process.exit(0);
}

const packages = publicPackages();
const asked = values.all ? packages.map(({ name }) => name) : positionals.length > 0 ? positionals : ['sallyport'];
const wanted = withNeeded(asked);
const folder = join(root, 'tarballs');
mkdirSync(folder, { recursive: true });
progress('building');
await build();
const files = [];
for (const { dir } of wanted) files.push((await pack(dir, folder)).file);
// A command is for all projects.
const isCommand = asked.every((name) => ['cli', 'gateway'].includes(name.replace('@sallyport/', '')));
const where = isCommand ? 'For the command sallyport' : 'In your project';
console.log(`\n${where}:\n\n  npm install ${isCommand ? '-g ' : ''}${files.join(' ')}\n`);
