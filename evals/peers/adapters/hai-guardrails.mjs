import { tsImport } from 'tsx/esm/api';

// Importing the package starts workers from a path of the machine that built it; their error is unhandled and ends the
// process. With a listener the workers stop and the pattern mode works.
process.on('uncaughtException', (error) => {
  if (error.code !== 'MODULE_NOT_FOUND' || !error.message.includes('piscina')) process.exit(1);
});
const { GuardrailsEngine, injectionGuard } = await import('@presidio-dev/hai-guardrails');
await new Promise((resolve) => setTimeout(resolve, 2000));

const engineOf = (mode, threshold) =>
  new GuardrailsEngine({ guards: [injectionGuard({ roles: ['user'] }, { mode, threshold })], logLevel: 'silent' });

function guarded(mode, threshold) {
  const engine = engineOf(mode, threshold);
  return async (text) => {
    const { messagesWithGuardResult } = await engine.run([{ role: 'user', content: text }]);
    return messagesWithGuardResult.some(({ messages }) => messages.some(({ passed }) => !passed));
  };
}

/** What its Heuristic class does with a pool of workers: the best score of all keywords. */
function heuristic(threshold) {
  let loading;
  return async (text) => {
    loading ??= Promise.all([
      import(new URL('./workers/heuristic.worker.js', import.meta.resolve('@presidio-dev/hai-guardrails'))),
      // Its own list is not exported; that of rebuff, from which it was taken, is the same 8,800 phrases.
      tsImport('rebuff/src/lib/detect.ts', import.meta.url),
    ]);
    const [worker, { generateInjectionKeywords }] = await loading;
    const scores = generateInjectionKeywords().map((keyword) => worker.default({ input: text, keyword, threshold }));
    return (await Promise.all(scores)).some(({ score }) => score >= threshold);
  };
}

export const adapter = {
  name: 'hai-guardrails',
  package: '@presidio-dev/hai-guardrails',
  note: 'as published, importing it ends the process; run behind a listener for uncaught exceptions',
  configurations: [
    { name: 'pattern at 0.5', detect: guarded('pattern', 0.5) },
    {
      name: 'heuristic at 0.7, as published',
      knownFailure: 'its worker file is not where it looks for it, so the check never answers',
      detect: guarded('heuristic', 0.7),
    },
    {
      name: 'heuristic at 0.7, worker called directly',
      note: 'its published worker function over its keywords, without the pool that does not start',
      detect: heuristic(0.7),
    },
  ],
};
