import type { Gate } from './gate.ts';
import { withMembers } from './member.ts';
import { guardTools } from './tools.ts';

/** The relevant members of a capability. */
interface Capable {
  tools(): readonly object[];
}

/** The same capabilities of a sandbox. For each run the SDK copies a capability, with its members, and calls `tools` of the copy. */
export function guardCapabilities<T extends object>(gate: Gate, capabilities: readonly T[]): T[] {
  return capabilities.map((capability) => {
    const own = (capability as Partial<Capable>).tools ?? (() => []);
    const tools = function (this: Capable): readonly object[] {
      return guardTools(gate, own.call(this));
    };
    return withMembers(capability, { tools });
  });
}
