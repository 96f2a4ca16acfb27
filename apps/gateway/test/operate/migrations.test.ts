import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../migrations/', import.meta.url);

// A database refuses a migration that was changed after it was applied there. What is released stays as it is: a change is a
// new file, and a new line here.
const FROZEN = {
  '0001_workspaces.sql': 'fdd4b541f28e7a13',
  '0002_log_and_audit.sql': '1cd67680b0d344d6',
  '0003_servers.sql': '0055cb09754c0a95',
  '0004_people.sql': 'c968c56ef6453023',
  '0005_feedback.sql': '5935e2ef57b5bced',
  '0006_serving.sql': '762da8798b186a8a',
  '0007_signed_heads.sql': '0105ad39ce48c55c',
  '0008_audit_feed.sql': 'dad975387a72d071',
  '0009_roles_and_logins.sql': '0e089819203a9aad',
  '0010_person_tokens.sql': '629cfb122055c05a',
  '0011_groups.sql': 'fa76b8d89e5feea4',
  '0012_findings.sql': '293693bdae7cea80',
  '0013_persons.sql': '5c8fa891c3c681ea',
  '0014_ended_logins.sql': '956c84a67b4bf485',
  '0015_held_listers.sql': 'd0b8cddfc52d75c6',
  '0016_webhooks.sql': '23ff40ca469669ab',
  '0017_lasting_approvals.sql': '8daec467bf4766cd',
  '0018_corrections.sql': '6080ed86a68a6081',
  '0019_audit_search.sql': '1820183747b36572',
};

test('no migration is changed, renamed or removed', () => {
  const found = readdirSync(FOLDER).map((name) => {
    const checksum = createHash('sha256')
      .update(readFileSync(new URL(name, FOLDER)))
      .digest('hex');
    return [name, checksum.slice(0, 16)];
  });
  expect(Object.fromEntries(found)).toEqual(FROZEN);
});
