import { createRequire } from 'node:module';
import { SandboxError } from '../errors.ts';
import type { ScriptEngine } from './engine.ts';
import { type EngineOptions, Pool } from './pool.ts';
import { Thread } from './thread.ts';

// A thread cannot run TypeScript: also from the sources it is the built one.
const ENTRY = new URL('../../dist/engine/monty-worker.js', import.meta.url);

const DESCRIPTION = `Write Python: a subset without classes, generators and most modules; no network, files or clock.
Call the functions below without await, with their object as keyword arguments. The last expression is what is given back.`;

/**
 * Scripts in Python: Monty. Experimental: it has no limit of steps, its memory is counted by itself alone, a call waits for the one
 * before it, and one long operation on whole numbers cannot be stopped: it is answered for in time, and its thread ends later.
 */
export function montyEngine(options: EngineOptions = {}): ScriptEngine {
  try {
    createRequire(import.meta.url).resolve('@pydantic/monty');
  } catch (cause) {
    throw new SandboxError('ERR_ENGINE_MISSING', 'Python needs Monty: npm install @pydantic/monty', { cause });
  }
  const open = async (memory: number): Promise<Thread> => new Thread(ENTRY, { memory }, options.timer);
  return new Pool({ language: 'python', description: DESCRIPTION, open }, options);
}
