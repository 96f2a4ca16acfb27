import { readFileSync } from 'node:fs';
import { restoredDigests } from './conversations.ts';

// A separate process: only the file is left of the one that stored the snapshots.
const digests = await restoredDigests(readFileSync(process.argv[2] as string, 'utf8'));
process.stdout.write(JSON.stringify(digests));
