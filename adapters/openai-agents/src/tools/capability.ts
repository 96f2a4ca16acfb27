import type { Gate } from './gate.ts';
import { withMembers } from './member.ts';
import { guardTools } from './tools.ts';

/** What of a capability matters here. */
interface Capable {
  tools(): readonly object[];
}

/** The same capabilities of a sandbox. The SDK copies one for each run, members of its own included, and asks that for its tools. */
export function guardCapabilities<T extends object>(gate: Gate, capabilities: readonly T[]): T[] {
  return capabilities.map((capability) => {
    const own = (capability as Partial<Capable>).tools ?? (() => []);
    const tools = function (this: Capable): readonly object[] {
      return guardTools(gate, own.call(this));
    };
    return withMembers(capability, { tools });
  });
}
