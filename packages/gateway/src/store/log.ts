import { digestText } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { MemoryLog } from '@sallyport/mcp-proxy';
import { type Database, runQuery } from './database.ts';
import type { Writer } from './writer.ts';

const MAX_NAME_LENGTH = 2000;
/** Maximum number of bytes that are read of one conversation: the last ones, with a mark that there were more. */
const MAX_BYTES = 32_000_000;

/** A name that no two conversations share, whatever their principals and hosts call them. */
function nameOf(principal: string, conversation: string): string {
  const name = JSON.stringify([principal, conversation]);
  return Buffer.byteLength(name) <= MAX_NAME_LENGTH ? name : digestText(name);
}

/** An entry that is not JSON marks content that was removed. */
function readEntry(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The log of a principal's conversations. Positions grow, so a reader that has seen one has seen all before it. */
export function memoryLog(database: Database, writer: Writer, workspace: string, principal: string): MemoryLog {
  return {
    async since(conversation, after) {
      const rows = await runQuery(
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
