import type { PostgresType } from 'postgres';

/** An array as PostgreSQL writes it. */
function writeArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Reads what PostgreSQL writes for an array of texts or numbers without nulls. */
function readArray(text: string): readonly string[] {
  const items = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs);
  return Array.from(items, ([bare, quoted]) => quoted?.replace(/\\(.)/gs, '$1') ?? bare);
}

function arrayOf(oid: number): PostgresType {
  return { to: oid, from: [oid], serialize: writeArray, parse: readArray };
}

/**
 * The arrays that we use: of bigint, text and uuid. The driver can ask the server for these by itself; when a connection is
 * lost while it does, nobody catches its error and the process ends.
 */
export const ARRAYS: Record<string, PostgresType> = {
  numbers: arrayOf(1016),
  texts: arrayOf(1009),
  uuids: arrayOf(2951),
};
