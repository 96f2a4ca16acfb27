import type { PostgresType } from 'postgres';

/** Writes an array literal of PostgreSQL. */
function writeArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Reads an array literal of texts or numbers without nulls. */
function readArray(text: string): readonly string[] {
  const items = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs);
  return Array.from(items, ([bare, quoted]) => quoted?.replace(/\\(.)/gs, '$1') ?? bare);
}

function arrayOf(oid: number): PostgresType {
  return { to: oid, from: [oid], serialize: writeArray, parse: readArray };
}

/**
 * The array types in use: bigint, text and uuid. The driver could query them from the server, but if the connection is lost
 * meanwhile, its error is not caught and ends the process.
 */
export const ARRAYS: Record<string, PostgresType> = {
  numbers: arrayOf(1016),
  texts: arrayOf(1009),
  uuids: arrayOf(2951),
};
