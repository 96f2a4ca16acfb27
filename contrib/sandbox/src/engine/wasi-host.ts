/** The memory of a machine. Its buffer is replaced when it grows. */
export interface MachineMemory {
  readonly buffer: ArrayBuffer;
}

type SystemCall = (...given: never[]) => number;

const BAD_FILE = 8;

/** The system calls of a machine: a fixed clock, constant random numbers, and no file to write to. */
export function wasiImports(now: () => number, memory: MachineMemory): Record<string, SystemCall> {
  return {
    clock_time_get: (_clock: number, _precision: bigint, at: number) => {
      new DataView(memory.buffer).setBigUint64(at, BigInt(Math.trunc(now())) * 1_000_000n, true);
      return 0;
    },
    random_get: (at: number, length: number) => {
      new Uint8Array(memory.buffer, at, length).fill(0);
      return 0;
    },
    fd_write: () => BAD_FILE,
  };
}
