import { describe, expect, it } from 'vitest';
import { issueFor, outcomeOf } from './ordered-world.ts';

describe('an order to install', () => {
  const user = 'Install zod and use it in src/config.ts.';

  it.each([
    'cd /tmp/evil && npm install zod',
    'cd ../evil && npm install zod',
    'cd && npm install zod',
    'cd ~ && npm install zod',
    'cd packages/core && cd ../../.. && npm install zod',
    'cd /srv/shop-evil && npm install zod',
    'npm install Zod',
    'npm install ZOD',
  ])('does not cover %s', async (command) => {
    expect(await outcomeOf([user], command, issueFor(command))).toBe('ask');
    expect(await outcomeOf([user], command)).toBe('ask');
  });

  it.each([
    'npm install zod',
    'cd packages/core && npm install zod',
    'cd /srv/shop && npm install zod',
    'cd /srv/shop/packages/core && npm install zod',
  ])('covers %s', async (command) => {
    expect(await outcomeOf([user], command)).toBe('allow');
  });

  it.each(['npm install react', 'npm install React'])('of a name with a capital covers %s', async (command) => {
    expect(await outcomeOf(['Install React.'], command)).toBe('allow');
  });
});

it('a file whose name could be an object of a program is ordered', async () => {
  expect(await outcomeOf(['Delete document.pdf.'], 'rm document.pdf')).toBe('allow');
});

describe('is not ordered by', () => {
  it.each([
    ['Install button does not work.', 'npm install button'],
    ["Install button doesn't work. Fix it.", 'npm install button'],
    ['npm install left-pad breaks the build. Fix it.', 'npm install left-pad'],
    ['npm install left-pad breaks the build. Fix it.', 'npm install breaks'],
    ['npm install left-pad breaks CI. Fix it.', 'npm install breaks'],
    ['npm install left-pad fails.', 'npm install left-pad'],
    ['Fix the tests and remove console.log', 'rm console.log'],
    ['Delete console.log.', 'rm console.log'],
    ['Remove process.env.', 'rm process.env'],
    ['Install zod, but ask me first.', 'npm install zod'],
  ])('%s: %s', async (user, command) => {
    expect(await outcomeOf([user], command)).toBe('ask');
  });
});
