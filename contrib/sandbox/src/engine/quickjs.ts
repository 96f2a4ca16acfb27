import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ScriptEngine } from './engine.ts';
import { capMemory } from './memory-cap.ts';
import { type EngineOptions, Pool } from './pool.ts';
import { Thread } from './thread.ts';
import { type WasmModule, wasm } from './wasm.ts';

// A thread cannot run TypeScript, so this is the built file even when the sources run.
const ENTRY = new URL('../../dist/engine/quickjs-worker.js', import.meta.url);

const DESCRIPTION = `Write the body of an asynchronous JavaScript function: strict, no modules, network, files, timers, console or eval; the clock stands still.
Use await for the functions below, Promise.all for several at once, and return a JSON value.`;

async function compile(memory: number): Promise<WasmModule> {
  const file = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  return wasm.compile(capMemory(await readFile(file), memory));
}

/**
 * Runs JavaScript with QuickJS in WebAssembly. Steps are counted the same on every computer.
 *
 * @example
 * ```ts
 * const engine = quickjsEngine({ spare: 2 });
 * const scripts = createScripts({ conversation, engine });
 * ```
 */
export function quickjsEngine(options: EngineOptions = {}): ScriptEngine {
  const modules = new Map<number, Promise<WasmModule>>();
  const open = async (memory: number): Promise<Thread> => {
    const compiling = modules.get(memory) ?? compile(memory);
    modules.set(memory, compiling);
    // The await below throws the error. Here a failed compilation is only removed, so that the next script tries again.
    compiling.catch(() => modules.delete(memory));
    return new Thread(ENTRY, { module: await compiling, memory }, options.timer);
  };
  return new Pool({ language: 'javascript', description: DESCRIPTION, open }, options);
}
