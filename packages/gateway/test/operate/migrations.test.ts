import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../migrations/', import.meta.url);

// A database refuses a migration that was changed after it was applied there. What is released stays as it is: a change is a
// new file, and a new line here.
const FROZEN = {
  '0001_workspaces.sql': '2af95df3015c3a31',
  '0002_log_and_audit.sql': '8e5b07ff7195823c',
  '0003_servers.sql': '92a927f482cf4f6c',
  '0004_people.sql': '35deadc96a2d2ef9',
  '0005_feedback.sql': '7a4202f153f60dbf',
  '0006_serving.sql': '3e00c799563ed6c7',
  '0007_keys_known.sql': '02d9cedb2294c84b',
  '0008_form_known.sql': 'f285ccf5dee5757e',
  '0009_accepted.sql': 'a40c687bf83ab2b8',
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
