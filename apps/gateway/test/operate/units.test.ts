import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const units = join(import.meta.dirname, '../../systemd');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasSystemd)('units for systemd', () => {
  test.each(readdirSync(units))('%s is valid', (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-units-'));
    try {
      // systemd-analyze looks for the program, which need not be installed here.
      const text = readFileSync(join(units, name), 'utf8').replace('/usr/local/bin/sallyport', process.execPath);
      writeFileSync(join(folder, name), text);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, name)], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a misspelt setting would be found', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-units-'));
    const unit = join(folder, 'wrong.service');
    writeFileSync(unit, `[Service]\nExecStart=${process.execPath}\nProtectHomes=true\n`);
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    rmSync(folder, { recursive: true, force: true });
    expect(stderr).toContain('ProtectHomes');
  });
});
