import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as sandbox from '../src/index.ts';

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

describe('the public door', () => {
  it('has these names and no others', () => {
    expect(Object.keys(sandbox).sort()).toEqual([
      'DEFAULT_LIMITS',
      'REASONS',
      'SandboxError',
      'Scripts',
      'SubModel',
      'answerSchema',
      'createScripts',
      'createSubModel',
      'montyEngine',
      'quickjsEngine',
      'restoreSuspension',
      'scriptTool',
      'storeSuspension',
    ]);
  });

  it('has these default limits', () => {
    expect(sandbox.DEFAULT_LIMITS).toEqual({
      memory: 67_108_864,
      steps: 50_000_000,
      time: 10_000,
      total: 120_000,
      calls: 100,
      argumentBytes: 65_536,
      resultBytes: 1_048_576,
      outputBytes: 65_536,
      sourceBytes: 65_536,
      inputBytes: 8_388_608,
    });
  });
});

describe('error codes', () => {
  it('are all used by the source', () => {
    const codes = [...read('../src/errors.ts').matchAll(/\| '(ERR_\w+)'/g)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(7);
    const used = [
      'question/argument',
      'script/functions',
      'question/question',
      'engine/limits',
      'engine/monty',
      'engine/pool',
      'question/schema',
      'script/scripts',
      'question/sub-model',
      'script/suspension',
    ]
      .map((name) => read(`../src/${name}.ts`))
      .join('\n');
    for (const code of codes) expect(used).toContain(`'${code}'`);
  });
});
