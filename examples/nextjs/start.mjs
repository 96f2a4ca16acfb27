// Starts Next.js; and a scripted model in place of a hosted one, unless OPENAI_API_KEY is set.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const env = { NEXT_TELEMETRY_DISABLED: '1', ...process.env };
if (env.OPENAI_API_KEY === undefined) {
  const { startScriptedModel } = await import('./scripted-model.ts');
  env.OPENAI_BASE_URL = `${await startScriptedModel()}/v1`;
  env.OPENAI_API_KEY = 'none';
  env.MODEL = 'scripted';
}
const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'));
const child = spawn(process.execPath, [next, ...process.argv.slice(2)], { env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
