// 200 harmless customer-service conversations of tau-bench (airline), through `sallyport replay --json` with declared tools.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/command.mjs';
import { percent } from '../replay/metrics.mjs';

const file = join(root, '..', 'shared', 'data', 'everyday', 'tau-bench-airline-gpt-4o.jsonl.br');

export const isTauPresent = existsSync(file);

/** As the airline would declare them. Passengers choose some of the words in a reservation, so no tool is trusted. */
const TOOLS = {
  get_user_details: { effect: 'read', origin: 'workspace' },
  get_reservation_details: { effect: 'read', origin: 'workspace' },
  search_direct_flight: { effect: 'read', origin: 'workspace' },
  search_onestop_flight: { effect: 'read', origin: 'workspace' },
  list_all_airports: { effect: 'read', origin: 'workspace' },
  calculate: { effect: 'read', origin: 'workspace' },
  think: { effect: 'read', origin: 'workspace', modelText: ['thought'] },
  // The benchmark's schemas enumerate the cabins.
  book_reservation: { effect: 'spend', origin: 'workspace', roles: { cabin: 'choice' } },
  update_reservation_flights: { effect: 'spend', origin: 'workspace', roles: { cabin: 'choice' } },
  update_reservation_baggages: { effect: 'spend', origin: 'workspace' },
  update_reservation_passengers: { effect: 'write', origin: 'workspace' },
  cancel_reservation: { effect: 'destroy', origin: 'workspace' },
  send_certificate: { effect: 'spend', origin: 'workspace' },
  transfer_to_human_agents: { effect: 'write', origin: 'workspace', modelText: ['summary'] },
};

/** @returns {{ conversations: number, asked: number, askedPct: number, calls: number, effects: number, held: readonly object[] }} */
export function playTau(preset = 'balanced') {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-tau-'));
  try {
    const tools = join(folder, 'tools.json');
    writeFileSync(tools, JSON.stringify(TOOLS));
    const main = join(root, 'apps', 'cli', 'dist', 'main.js');
    const args = [main, 'replay', file, '--tools', tools, '--preset', preset, '--json'];
    const output = execFileSync(process.execPath, args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
    const lines = output
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const held = lines.flatMap(({ id, calls }) =>
      calls
        .filter(({ outcome }) => outcome !== 'allow')
        .map(({ tool, outcome, cell }) => ({ id, tool, outcome, cell })),
    );
    const asked = new Set(held.map(({ id }) => id)).size;
    const all = lines.flatMap(({ calls }) => calls);
    const effects = all.filter(({ effect }) => effect !== 'read').length;
    return {
      conversations: lines.length,
      asked,
      askedPct: percent(asked, lines.length),
      calls: all.length,
      effects,
      held,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
