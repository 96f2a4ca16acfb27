import { describe, expect, it } from 'vitest';
import * as adapter from '../src/adapter.ts';
import * as core from '../src/index.ts';
import * as stages from '../src/stages.ts';

const entries = { ...core, ...stages, ...adapter };

describe('the public surface', () => {
  it('the main entry exports exactly these values', () => {
    expect(Object.keys(core).sort()).toEqual([
      'SallyportError',
      'createBoundary',
      'dangerouslyTrust',
      'defineTool',
      'escapePromptMarkers',
      'fillTemplate',
      'judgeWith',
      'promoteMemory',
      'prompt',
      'promptMarkerFilter',
      'restoreMemory',
      'sanitizeContext',
      'source',
      'storeMemory',
    ]);
  });

  it('each name is exported by one entry only', () => {
    const names = [core, stages, adapter].flatMap(Object.keys);
    expect(names.length).toBe(new Set(names).size);
  });

  it('no exported class can forge the result of a stage', () => {
    const classes = Object.entries(entries).filter(([, value]) => /^class /.test(String(value)));
    expect(classes.map(([name]) => name)).toEqual([
      'SallyportError',
      'BoundedMap',
      'Serial',
      'ServerEvents',
      'Declared',
      'SchemaDocument',
      'LatestModel',
    ]);
  });

  it('only one export weakens protection, and its name says so', () => {
    expect(Object.keys(entries).filter((name) => /dangerously|unsafe|raw|danger/i.test(name))).toEqual([
      'dangerouslyTrust',
    ]);
    expect(typeof core.dangerouslyTrust).toBe('symbol');
  });

  it('the constants are pinned', () => {
    expect(stages.LIKELIHOODS).toEqual(['none', 'low', 'medium', 'high']);
    expect(adapter.READING_RULES.length).toBeLessThan(1500);
    expect(adapter.READING_RULES.isWellFormed() && /^[ -~\n]*$/.test(adapter.READING_RULES)).toBe(true);
  });
});
