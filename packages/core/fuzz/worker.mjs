// Runs chunks of cases of one invariant. It is plain JavaScript because a loader would make it ten times slower.
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';

const { invariants } = await import(workerData.properties);

parentPort.on('message', async ({ id, cases, seed }) => {
  const { property, perRun } = invariants.find((each) => each.id === id);
  const details = await fc.check(property, { numRuns: Math.ceil(cases / perRun), seed, maxSkipsPerRun: 1000 });
  const report = details.failed ? await fc.asyncDefaultReportMessage(details) : undefined;
  parentPort.postMessage({ id, cases: Math.min(cases, details.numRuns * perRun), failed: details.failed, report });
});
parentPort.postMessage({ weights: invariants.map(({ id, weight, number }) => ({ id, weight, number })) });
