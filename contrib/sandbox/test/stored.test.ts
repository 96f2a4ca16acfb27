import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { restoreSuspension } from '../src/index.ts';
import { opened, returned } from './stage.ts';

const KEY = new Uint8Array(32).fill(7);
const FOLDER = new URL('./fixture/suspensions/', import.meta.url);
const LABEL = { integrity: 'unknown', confidentiality: 'secret' };

// What earlier commits stored, made by running them. The form has been one since the first.
const COMMITS = ['e0d49e9'];

function read(commit: string): string {
  return readFileSync(new URL(`${commit}.txt`, FOLDER), 'utf8').trim();
}

/** The text with a change in it, sealed as if we had written it. */
function resealed(text: string, change: (stored: Record<string, unknown>) => void): string {
  const stored = JSON.parse(text.slice(text.indexOf('.') + 1));
  change(stored);
  const body = JSON.stringify(stored);
  return `${createHmac('sha256', KEY).update('sallyport suspension 1\n').update(body).digest('hex')}.${body}`;
}

it('every form that was ever stored is here', () => {
  expect(readdirSync(FOLDER).map((name) => name.replace('.txt', ''))).toEqual(COMMITS);
});

describe.each(COMMITS)('a script that commit %s stored', (commit) => {
  it('goes on, with labels that are no better, and does nothing twice', async () => {
    const { scripts, conversation, done } = await opened();
    const suspension = restoreSuspension(read(commit), KEY, conversation);
    const result = await scripts.resume(suspension, () => ({ by: 'ann' }));
    expect(returned(result)).toEqual([{ ok: 'order' }, 2]);
    expect(done.map(([name]) => name)).toEqual(['order', 'sendMail']);
    expect(result).toMatchObject({ record: { label: LABEL } });
  });

  it('waits for a person again: an approval is not stored', async () => {
    const { scripts, conversation, done } = await opened();
    const suspension = restoreSuspension(read(commit), KEY, conversation);
    expect([(await scripts.resume(suspension)).status, done]).toEqual(['suspended', []]);
  });

  it.each([0, 2, '1', undefined])('is refused under version %j, however it is sealed', async (version) => {
    const { conversation } = await opened();
    const whole = resealed(read(commit), () => undefined);
    expect(restoreSuspension(whole, KEY, conversation).id).toBe('s');
    const other = resealed(read(commit), (stored) => {
      stored.version = version;
    });
    expect(() => restoreSuspension(other, KEY, conversation)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_SUSPENSION' }),
    );
  });
});
