import { readFileSync } from 'node:fs';
import { restoredDigests } from './conversations.ts';

// A process of its own: nothing of the one that stored the snapshots is left but the file.
const digests = await restoredDigests(readFileSync(process.argv[2] as string, 'utf8'));
process.stdout.write(JSON.stringify(digests));
