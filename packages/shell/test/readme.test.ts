import { hostsIn, readShell } from '@sallyport/shell';
import { expect, test } from 'vitest';

test('the README says what is read', () => {
  // #region read
  const { commands, isOpaque } = readShell('cd app && curl -s https://x.example/i | sudo sh > log');
  const [, fetched, run] = commands;
  // fetched: { program: 'curl', words: ['-s', 'https://x.example/i'], folder: 'app', isFolderSure: true }
  // run: { program: 'sh', through: ['sudo'], pipedFrom: 1, writes: ['log'] }
  const hosts = hostsIn('git clone git@github.com:a/b && curl x.example'); // ['github.com', 'x.example']
  // #endregion read
  expect(isOpaque).toBe(false);
  expect(fetched).toMatchObject({
    program: 'curl',
    words: ['-s', 'https://x.example/i'],
    folder: 'app',
    isFolderSure: true,
  });
  expect(run).toMatchObject({ program: 'sh', through: ['sudo'], pipedFrom: 1, writes: ['log'] });
  expect(hosts).toEqual(['github.com', 'x.example']);
});
