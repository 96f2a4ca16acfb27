import { createRequire } from 'node:module';
import { SandboxError } from '../errors.ts';
import type { ScriptEngine } from './engine.ts';
import { type EngineOptions, Pool } from './pool.ts';
import { Thread } from './thread.ts';

// A thread cannot run TypeScript, so this is the built file even when the sources run.
const ENTRY = new URL('../../dist/engine/monty-worker.js', import.meta.url);

const DESCRIPTION = `Write Python: a subset without classes, generators and most modules; no network, files or clock.
Call the functions below without await, with their object as keyword arguments. The last expression is what is given back.`;

/**
 * Runs Python scripts with Monty. Experimental: steps are not limited, memory is counted by Monty only, calls run one after the
 * other, and a single long integer operation cannot be interrupted. Such a script fails in time, but its thread ends later.
 *
 * @example
 * ```ts
 * const engine = montyEngine();
 * const scripts = createScripts({ conversation, engine });
 * ```
 */
export function montyEngine(options: EngineOptions = {}): ScriptEngine {
  try {
    createRequire(import.meta.url).resolve('@pydantic/monty');
  } catch (cause) {
    throw new SandboxError(
      'ERR_ENGINE_MISSING',
      'montyEngine() needs the package @pydantic/monty: npm install @pydantic/monty',
      { cause },
    );
  }
  const open = async (memory: number): Promise<Thread> => new Thread(ENTRY, { memory }, options.timer);
  return new Pool({ language: 'python', description: DESCRIPTION, open }, options);
}
