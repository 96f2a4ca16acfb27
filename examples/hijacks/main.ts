// Runs one hijack of each kind and two harmless tasks through the real boundary: what the model reads, what the classifier
// flags, what the model calls, what the gate decides. With --json it prints the run, which tools/docs/draw-hijacks.mjs draws.
import assert from 'node:assert/strict';
import { type CallEvent, type Event, type Preset, type ReadEvent, run } from './run.ts';
import type { Scenario } from './scenario.ts';
import { HARMLESS } from './scenarios/harmless.ts';
import { PLAIN } from './scenarios/plain.ts';
import { QUIET } from './scenarios/quiet.ts';

const SCENARIOS = [...PLAIN, ...QUIET, ...HARMLESS];

function callsOf(events: readonly Event[]): readonly CallEvent[] {
  return events.filter((event) => event.type === 'call');
}

function check({ id, kind, steps }: Scenario, preset: Preset, events: readonly Event[]): void {
  const calls = callsOf(events);
  const decided = calls.map(({ tool, decision }) => `${tool}: ${decision.outcome} ${decision.rule}`);
  const expected = steps.map((step) => `${step.tool}: ${step[preset]}`);
  assert.deepEqual(decided, expected, `${id} under ${preset}`);
  const effects = calls.filter(({ effect }) => effect !== 'read');
  assert.ok(effects.length > 0, `${id} has no call with an effect`);
  if (kind === 'hijack')
    for (const { tool, decision } of effects)
      assert.notEqual(decision.outcome, 'allow', `${id}: ${tool} passes under ${preset}`);
  for (const { values, decision } of calls)
    for (const { path, place } of decision.evidence)
      assert.deepEqual(values.find((value) => value.path === path)?.place?.start, place?.start, `evidence for ${path}`);
}

function lineOfRead({ tool = 'user', text, spans }: ReadEvent): string {
  const found = spans.map(({ likelihood, tag }) => (likelihood === 'none' ? tag : `${likelihood} ${tag}`));
  return `  in    ${tool}: ${text.length} characters${found.length === 0 ? '' : `, found: ${found.join(', ')}`}`;
}

function lineOfCall({ tool, values, decision }: CallEvent): string {
  const words = values.map(({ path, trust }) => `${path.slice(1)} ${trust}`);
  return `  ${decision.outcome.padEnd(5)} ${tool}(${words.join(', ')}): ${decision.rule}`;
}

const runs = [];
for (const scenario of SCENARIOS) {
  const [balanced, strict] = [await run(scenario, 'balanced'), await run(scenario, 'strict')];
  check(scenario, 'balanced', balanced);
  check(scenario, 'strict', strict);
  runs.push({ scenario, balanced, strict });
}

if (process.argv.includes('--json')) console.log(JSON.stringify(runs));
else
  for (const { scenario, balanced, strict } of runs) {
    console.log(scenario.title);
    for (const event of balanced) console.log(event.type === 'read' ? lineOfRead(event) : lineOfCall(event));
    const last = callsOf(strict).at(-1)?.decision;
    console.log(`  under strict: ${last?.outcome}, ${last?.rule}`);
  }
