import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/operate/config.ts';
import { NEEDED, OWNER, read, SECRET, variables } from './variables.ts';

/** What a chart's `launchers` set. */
const OF_LAUNCHERS = ['SALLYPORT_CHILDREN', 'SALLYPORT_COMMANDS', 'SALLYPORT_LAUNCHER'];
/** Set by the image and the chart, because the probes and the service use them. */
const FIXED = ['HOST', 'PORT'];

describe('deployment files', () => {
  const schema = JSON.parse(read('chart/values.schema.json')) as {
    properties: Record<string, { properties?: Record<string, unknown> }>;
  };
  const values = parse(read('chart/values.yaml')) as Record<string, unknown>;
  const templates = readdirSync(new URL('../../chart/templates', import.meta.url))
    .filter((name) => /\.(?:yaml|tpl)$/.test(name))
    .map((name) => read(`chart/templates/${name}`))
    .join('\n');

  test('the chart accepts every setting that is not secret, and refers to a secret for the others', () => {
    const settings = Object.keys(schema.properties.settings?.properties ?? {});
    const open = variables().filter((name) => ![...SECRET, ...FIXED, ...OF_LAUNCHERS, OWNER].includes(name));
    expect(settings.toSorted()).toEqual(open);
    const { optional } = (schema.properties.secret?.properties ?? {}) as { optional: { items: { enum: string[] } } };
    const needed = Object.keys(NEEDED);
    expect([...needed, ...optional.items.enum].toSorted()).toEqual(SECRET.toSorted());
    for (const name of needed) expect(templates).toContain(`"${name}"`);
    // The job that migrates has it, and no replica.
    expect(read('chart/templates/migrate.yaml')).toContain(`key: ${OWNER}\n`);
    expect(read('chart/templates/deployment.yaml')).not.toContain(OWNER);
    for (const name of FIXED) expect(templates).toContain(`- name: ${name}\n`);
  });

  test('every value of the chart exists, is used and is described', () => {
    const used = new Set([...templates.matchAll(/\.Values\.(\w+(?:\.\w+)?)/g)].map(([, path = '']) => path));
    for (const path of used) {
      const [first = '', second] = path.split('.');
      expect(values, path).toHaveProperty(first);
      if (second !== undefined) expect(values[first], path).toHaveProperty(second);
    }
    for (const name of Object.keys(values)) {
      expect(schema.properties, name).toHaveProperty(name);
      expect(
        [...used].some((path) => path.split('.')[0] === name),
        name,
      ).toBe(true);
    }
  });

  const compose = parse(read('compose.yaml')) as {
    services: Record<
      string,
      { environment?: Record<string, string>; secrets?: string[]; deploy?: { replicas: number } }
    >;
    secrets: Record<string, { file: string }>;
  };
  const { gateway, launcher, migrate } = compose.services;

  test('the launcher of compose is another user, and has no secret of the gateway', () => {
    expect(launcher).toMatchObject({ user: '65533:65532', networks: ['launcher'] });
    expect(Object.keys(launcher?.environment ?? {})).toEqual(['HOME', 'SALLYPORT_LAUNCHER', 'SALLYPORT_COMMANDS_FILE']);
    expect(launcher?.secrets).toBeUndefined();
  });

  test('compose gives secrets to two replicas as files, and only settings as variables', () => {
    expect(gateway?.deploy?.replicas).toBe(2);
    const ofReplica = Object.entries(gateway?.environment ?? {});
    expect(ofReplica.length).toBeGreaterThan(5);
    for (const [name, value] of ofReplica) {
      const setting = name.replace(/_FILE$/, '');
      expect(variables()).toContain(setting);
      if (SECRET.includes(setting)) expect([name, value]).toEqual([`${setting}_FILE`, `/run/secrets/${setting}`]);
    }
    const files = ofReplica.flatMap(([name]) => (name.endsWith('_FILE') ? [name.replace('_FILE', '')] : []));
    expect(gateway?.secrets).toEqual(files);
    expect(migrate).toMatchObject({
      environment: { DATABASE_OWNER_URL_FILE: `/run/secrets/${OWNER}` },
      secrets: [OWNER],
    });
    expect(gateway?.secrets).not.toContain(OWNER);
  });

  test('the script makes every secret that compose names, once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-compose-'));
    const script = fileURLToPath(new URL('../../secrets.sh', import.meta.url));
    const made = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8').trim();
    const make = (): number | null => spawnSync('sh', [script], { cwd: folder }).status;
    try {
      expect(make()).toBe(0);
      for (const [name, { file }] of Object.entries(compose.secrets)) {
        expect(file).toBe(`./secrets/${name}`);
        expect(made(name)).toMatch(/[0-9a-f]{64}/);
      }
      expect(readdirSync(join(folder, 'secrets')).toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
      const { host, username, password } = new URL(made('DATABASE_URL'));
      expect([host, username, password]).toEqual(['postgres', 'sallyport', made('APP_PASSWORD')]);
      expect(new URL(made(OWNER)).password).toBe(made('OWNER_PASSWORD'));
      expect(made('redis.conf')).toBe(`requirepass ${new URL(made('REDIS_URL')).password}`);
      const url = made('DATABASE_URL');
      expect(readConfig({ ...NEEDED, DATABASE_URL: url, REDIS_URL: made('REDIS_URL') }).databaseUrl).toBe(url);
      const before = made('SALLYPORT_KEY');
      expect(make()).not.toBe(0);
      expect(made('SALLYPORT_KEY')).toBe(before);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('the image runs as an unprivileged user, uses tagged base images, and has a health check', () => {
    const text = read('Dockerfile');
    for (const [, image] of text.matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/^node:\d+\.\d+\.\d+-\w+/);
    expect(text).toMatch(/^USER 65532:65532$/m);
    expect(text).toContain('HEALTHCHECK');
    expect(text.replace('SALLYPORT_ANCHORS=', '')).not.toMatch(/SALLYPORT_\w+=|ARG /);
  });
});
