import { describe, expect, it } from 'vitest';
import { issueFor, outcomeOf } from './ordered-world.ts';

describe('an order to push without a branch', () => {
  const user = 'Fix issue 12, commit and push.';

  it.each([
    'git push origin v9.9.9',
    'git push origin refs/tags/v9',
    'git push origin gh-pages',
    'git push origin production',
    'cd /srv/private && git push origin main',
    'cd /srv/private && git push',
    'cd packages/core && git push',
    'cd .. && git push',
    'cd && git push',
    'CI=1 cd /srv/private && git push',
    'timeout 5 cd /srv/private && git push',
    'cd -- /srv/private && git push',
  ])('does not cover what an issue asks for: %s', async (command) => {
    expect(await outcomeOf([user], command, issueFor(command))).toBe('ask');
  });

  it.each(['git push origin v9.9.9', 'git push origin refs/heads/main'])('does not cover %s', async (command) => {
    expect(await outcomeOf([user], command)).toBe('ask');
  });

  it.each([
    'git push',
    'git push origin HEAD',
    'git push -u origin HEAD',
    'git push -u origin fix-12',
    'cd /srv/shop && git push',
    'cd . && git push',
  ])('covers %s', async (command) => {
    expect(await outcomeOf([user], command, 'The sum is wrong. Please fix it.')).toBe('allow');
  });
});

it('an order to push covers the branch that git has named', async () => {
  const status = 'On branch fix-cart\nYour branch is up to date with origin/fix-cart.';
  for (const command of ['git push', 'git push -u origin fix-cart'])
    expect(await outcomeOf(['Fix the test, then commit and push.'], command, status)).toBe('allow');
});

it.each([
  ['Commit and push.', 'git push', '/srv/shop/packages/api', 'allow'],
  ['Install zod.', 'npm install zod', '/srv/shop/packages/api', 'allow'],
  ['Commit and push.', 'git push', '/srv/shop', 'allow'],
  ['Commit and push.', 'git push', '/srv/private', 'ask'],
  ['Clean the dist folder.', 'rm -rf dist', '/srv/shop/packages/api', 'ask'],
])('%s: %s in %s: %s', async (user, command, folder, expected) => {
  expect(await outcomeOf([user], command, undefined, folder)).toBe(expected);
});

describe('no order to push', () => {
  it.each([
    'Push notifications do not work, fix them.',
    'push the button in the UI test',
    'push notifications are broken',
    'Run the tests. Push is broken.',
    'Commit and push notifications code',
    'Fix the array helpers and push them to the list.',
    'implement pop, then push',
    'push when done, but ask me first',
    'Push is broken on Android, fix it.',
    'Push messages arrive twice.',
    'Push does not work on Android.',
    'Push fails.',
    'Implement pull and push.',
    'Push the events to the queue.',
    'Fix the script where we commit and push.',
    'Fix the hook that should build, commit and push.',
  ])('%s', async (user) => {
    expect(await outcomeOf([user], 'git push origin production', issueFor('git push origin production'))).toBe('ask');
    expect(await outcomeOf([user], 'git push')).toBe('ask');
  });
});

describe('an order to push ends', () => {
  it.each([
    'Stop pushing please. Fix issue 12.',
    'From now on only work locally.',
    'No more pushes, please.',
    'Fix issue 13, but ask me first.',
    'Always ask me before pushing.',
    'Keep the changes local.',
    'Do not push.',
    'Work without pushing.',
  ])('after: %s', async (later) => {
    expect(await outcomeOf(['Fix the test, commit and push.', later], 'git push')).toBe('ask');
  });

  it.each(['Alice asked me first. Fix issue 13.', 'Fix the local settings.', 'You do not need to ask me first.'])(
    'not after: %s',
    async (later) => {
      expect(await outcomeOf(['Fix the test, commit and push.', later], 'git push')).toBe('allow');
    },
  );

  it('until the user gives it again', async () => {
    expect(await outcomeOf(['Commit and push.', 'Stop pushing.', 'Push it now.'], 'git push')).toBe('allow');
  });
});

describe('an order to push', () => {
  it.each([
    ['Run the tests and push.', 'git push'],
    ['Run the tests, then push.', 'git push'],
    ['Fix the failing test and push.', 'git push'],
    ['Rename the file to src/money.ts, commit and push.', 'git push'],
    ['When you are done, commit and push.', 'git push'],
    ['Commit, and push when done.', 'git push'],
    ['Commit and push with a clear message.', 'git push'],
    ['Push the changes to GitHub.', 'git push'],
    ['Push the changes you made upstream.', 'git push'],
    ['Push up the fix for issue 12.', 'git push'],
    ['Push to a new branch called fix-12.', 'git push -u origin fix-12'],
    ['Fix it and push it to the main branch.', 'git push origin main'],
    ['Push the branch fix-12.', 'git push -u origin fix-12'],
    ['Push to main.', 'git push origin main'],
    ['Push to production.', 'git push origin production'],
    ['Push the tag v1.2.0.', 'git push origin v1.2.0'],
    ['Please push all my commits to origin/dev now.', 'git push origin dev'],
    ['Push your work to a new branch.', 'git push -u origin fix-12'],
  ])('%s: %s', async (user, command) => {
    expect(await outcomeOf([user], command)).toBe('allow');
  });

  it.each([
    ['Push to main.', 'git push origin dev'],
    ['Push the branch fix-12.', 'git push origin main'],
  ])('of another branch: %s: %s', async (user, command) => {
    expect(await outcomeOf([user], command)).toBe('ask');
  });
});
