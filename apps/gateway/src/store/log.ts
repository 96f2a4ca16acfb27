import { digestText } from '@sallyport/core/adapter';
import { type Database, runQuery } from './database.ts';
import type { Writer } from './writer.ts';

const MAX_NAME_LENGTH = 2000;
/** Maximum number of bytes that are read of one conversation: the last ones, with a mark that there were more. */
export const MAX_BYTES = 32_000_000;

/** A name that no two conversations share, whatever their principals and hosts call them. */
export function nameOf(principal: string, conversation: string): string {
  const name = JSON.stringify([principal, conversation]);
  return Buffer.byteLength(name) <= MAX_NAME_LENGTH ? name : digestText(name);
}

/** The log of conversations, with entries as JSON texts. Reading them takes time, so the thread that needs them does. */
export interface TextLog {
  since(conversation: string, after: number): Promise<readonly { readonly at: number; readonly text: string }[]>;
  append(conversation: string, text: string): Promise<void>;
}

/** The log of a principal's conversations. Positions grow, so a reader that has seen one has seen all before it. */
export function textLog(database: Database, writer: Writer, workspace: string, principal: string): TextLog {
  return {
    async since(conversation, after) {
      const rows = await runQuery(
        () => database.system<{ place: string; entry: string }[]>`
          select place, entry from sallyport.log_since(${workspace}::uuid, ${nameOf(principal, conversation)}, ${after}, ${MAX_BYTES})`,
      );
      return rows.map(({ place, entry }) => ({ at: Number(place), text: entry }));
    },
    async append(conversation, text) {
      await writer.write(workspace, { entries: [{ conversation: nameOf(principal, conversation), body: text }] });
    },
  };
}
