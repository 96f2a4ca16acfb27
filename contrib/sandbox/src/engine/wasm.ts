/** A compiled module. Threads can share one. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

interface Platform {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly RuntimeError: abstract new () => Error;
}

/** The part of WebAssembly that is used here. The types of Node 20 do not include it. */
export const wasm: Platform = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;
