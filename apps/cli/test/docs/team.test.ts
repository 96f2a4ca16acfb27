import { afterEach, beforeEach, expect, test } from 'vitest';
import { Page } from './page.ts';
import { Team } from './team.ts';

const TEST = 'apps/cli/test/docs/team.test.ts';
const DONE = { failed: [] };

let team: Team;
beforeEach(async () => {
  team = await Team.make();
});
afterEach(() => team.remove());

test('the guide for a team starts a gateway, applies a policy, and answers a held move', async () => {
  const page = new Page('docs/guides/mcp-team.md', TEST);
  team.administer(page.next('create role'));
  await team.shell().runUntil(page.next('sallyport gateway migrate'), `Listening on ${team.origin}`);

  const shell = team.shell();
  expect(await shell.run(page.next('sallyport gateway workspace acme'))).toMatchObject(DONE);
  team.write('policy.yaml', page.next('preset: balanced'));
  expect(await shell.run(page.next('sallyport gateway apply'))).toMatchObject(DONE);

  const { output: agent } = await shell.run('echo -n $agent');
  const call = (name: string, values: object): Promise<string> =>
    team.ask(agent, 'files', 'tools/call', { name, arguments: values });
  const [notes, old] = [team.test.path('work/shared/notes.txt'), team.test.path('work/shared/old.txt')];
  expect(await call('read_text_file', { path: notes })).toMatch(/<untrusted .*The meeting is at noon/);
  expect(await call('write_file', { path: notes, content: 'At one.' })).toContain('Successfully wrote');
  const move = call('move_file', { source: notes, destination: old });
  await shell.run('until curl $api/approvals -H "authorization: Bearer $ada" | grep -q move_file; do sleep 0.1; done');

  team.substitutions.push([
    'approvals/ID',
    `approvals/$(curl $api/approvals -H "authorization: Bearer $ada" | grep -o '"id":"[^"]*"' | cut -d'"' -f4)`,
  ]);
  const answered = await shell.run(page.next('audit verify'));
  expect(answered).toMatchObject({ ...DONE, output: expect.stringMatching(/"evidence":[\s\S]*Intact: /) });
  expect(await move).toContain('Successfully moved');
  page.end();
});

test('the README starts a gateway', async () => {
  const page = new Page('README.md', TEST);
  team.administer(new Page('docs/guides/mcp-team.md', TEST).next('create role'));
  await team.shell().runUntil(page.next('sallyport gateway'), `Listening on ${team.origin}`);
  page.end();
});
