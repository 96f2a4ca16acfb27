import { digestText } from '@sallyport/core/adapter';
import type { MemoryLog } from '@sallyport/mcp-proxy';
import { ask, type Database } from './database.ts';
import type { Writer } from './writer.ts';

const MAX_NAME_LENGTH = 2000;
/** Bytes that are read of one conversation at once: the last ones, with a mark that there was more. */
const MAX_BYTES = 32_000_000;

/** No two conversations share a name, whatever their principals and hosts call them. */
function nameOf(principal: string, conversation: string): string {
  const name = JSON.stringify([principal, conversation]);
  return Buffer.byteLength(name) <= MAX_NAME_LENGTH ? name : digestText(name);
}

/** What is no JSON stands for something that is not kept any more. */
function readEntry(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The log of a principal's conversations. Who has seen a place has seen all before it, whichever replica wrote them. */
export function memoryLog(database: Database, writer: Writer, workspace: string, principal: string): MemoryLog {
  return {
    async since(conversation, after) {
      const rows = await ask(
        () => database.system<{ place: string; entry: string }[]>`
          select place, entry from log_since(${workspace}::uuid, ${nameOf(principal, conversation)}, ${after}, ${MAX_BYTES})`,
      );
      return rows.map(({ place, entry }) => ({ at: Number(place), kept: readEntry(entry) }));
    },
    async append(conversation, kept) {
      const entry = { conversation: nameOf(principal, conversation), body: JSON.stringify(kept) };
      await writer.write(workspace, { entries: [entry] });
    },
  };
}
