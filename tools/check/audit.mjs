// Known vulnerabilities in the dependencies of the published packages: each must be removed, or accepted with a reason and an end date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, root, run } from '../command.mjs';
import { lockFor } from '../release/lock.mjs';
import { publicPackages } from '../release/packages.mjs';

const options = readOptions(
  `
Asks the registry about everything that the public packages need at run time, in the versions of package-lock.json, and
fails on any finding that tools/check/audit.json does not accept: { "id": "GHSA-...", "package", "reason", "until": "2027-01-31" }.
An entry that has expired, and one without a finding, fail as well. Exit 2 when the registry does not answer.

  npm run check -- audit
  npm run check -- audit --registry http://127.0.0.1:4873  ask another registry
`,
  { registry: { type: 'string' } },
);

const file = join(root, 'tools', 'check', 'audit.json');
const accepted = JSON.parse(readFileSync(file, 'utf8'));
const today = new Date().toISOString().slice(0, 10);

function* entryProblems({ id, package: name, reason, until }) {
  if (!/^GHSA(?:-[0-9a-z]{4}){3}$/.test(id ?? '') || typeof name !== 'string') yield 'has no id or package';
  if (typeof reason !== 'string' || reason.length < 20) yield 'has no reason';
  if (!/^\d{4}-\d\d-\d\d$/.test(until ?? '')) yield 'has no valid "until" date';
  else if (until < today) yield `expired on ${until}`;
}

/** A project that depends on all of our packages, without development dependencies. */
function writeProject(folder) {
  const workspace = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const packages = publicPackages();
  const dependencies = Object.fromEntries(packages.map(({ name, manifest }) => [name, manifest.version]));
  const every = { name: 'sallyport-audit', version: '0.0.0', dependencies };
  const own = new Map(packages.map(({ name, dir }) => [name, dir]));
  const lock = lockFor({ dir: 'every', name: every.name }, { ...workspace, every }, own);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(every));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

async function ask() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-audit-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeProject(folder);
  const flags = ['--audit', '--omit=dev', '--json', '--audit-level=low', '--package-lock-only', '--loglevel=silent'];
  const registry = options.registry === undefined ? [] : [`--registry=${options.registry}`];
  const { output } = await run('npm', ['audit', ...flags, ...registry], { cwd: folder });
  try {
    return JSON.parse(output.slice(output.indexOf('{')));
  } catch {
    // npm printed no JSON; its output becomes the message of the failure below.
    return { message: output.trim() };
  }
}

const answer = await ask();
// When the registry does not answer, npm prints a message instead of a report.
if (answer.auditReportVersion !== 2 || !(answer.metadata?.dependencies?.prod > 0))
  fail(`nothing was audited: ${answer.message ?? 'npm gave no report'}`, 'run this where the registry is reachable', 2);
const findings = new Map(
  Object.values(answer.vulnerabilities)
    .flatMap(({ via }) => via.filter((cause) => typeof cause === 'object'))
    .map(({ name, url, severity, title }) => [`${name} ${url.replace(/^.*\//, '')}`, `${severity}: ${title}, ${url}`]),
);
const isAccepted = (key) => accepted.some(({ id, package: name }) => `${name} ${id}` === key);
const problems = [
  ...accepted.flatMap((entry) =>
    [...entryProblems(entry)].map((what) => `tools/check/audit.json: ${entry.id} ${what}`),
  ),
  ...accepted
    .filter(({ id, package: name }) => !findings.has(`${name} ${id}`))
    .map(({ id, package: name }) => `tools/check/audit.json: ${id} is not found in ${name} any more`),
  ...[...findings].filter(([key]) => !isAccepted(key)).map(([key, what]) => `${key} ${what}`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems`, 'use a version without it, or accept it in tools/check/audit.json');
console.log(
  `OK - ${answer.metadata.dependencies.prod} packages audited, ${findings.size} findings, all of them accepted`,
);
