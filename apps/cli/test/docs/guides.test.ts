import { afterEach, beforeEach, expect, test } from 'vitest';
import { Page, programOf } from './page.ts';
import { Machine } from './shell.ts';

const TEST = 'apps/cli/test/docs/guides.test.ts';

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
  machine.write('package.json', '{ "type": "module" }');
});
afterEach(() => machine.remove());

// `npm` checks the names alone here: tools/release/consumers.mjs installs the packed packages and runs the same programs.
test.each([
  { page: 'docs/guides/email-agent.md', prints: 'send_mail: deny' },
  { page: 'docs/guides/rag.md', prints: 'address withheld' },
  { page: 'docs/guides/custom-rule.md', prints: 'deny payees' },
  { page: 'docs/guides/test-your-agent.md', prints: 'pass 5' },
])('the program of $page runs after its commands', async ({ page: name, prints }) => {
  const page = new Page(name, TEST);
  machine.write('main.ts', programOf(name));
  const { failed, output } = await machine.shell().run(page.next('main.ts'));
  expect({ failed, output }).toMatchObject({ failed: [], output: expect.stringContaining(prints) });
  page.end();
});

// The folder is not a checkout, so that packages are not built: the job `packages` packs them.
test.each([
  { page: 'README.md', names: /ai-sdk.*testing/ },
  { page: 'site/home.md', names: /ai-sdk/ },
])('$page installs from a checkout', async ({ page: name, names }) => {
  const page = new Page(name, TEST);
  machine.program('git', '#!/bin/sh\nmkdir sallyport\n');
  const outcome = await machine.shell().run(page.next('git clone'));
  expect(outcome).toMatchObject({ failed: [], output: expect.stringMatching(names) });
  page.end();
});
