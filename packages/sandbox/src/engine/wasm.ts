/** A compiled module. Threads can share one. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

interface Platform {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly RuntimeError: abstract new () => Error;
}

/** As much of WebAssembly as is used here: the types of Node 20 do not have it. */
export const wasm: Platform = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;
