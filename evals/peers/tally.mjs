// Counts the outcomes of records. The result contains only the source and attack name of a record.

const empty = () => ({ flagged: 0, total: 0 });

function count(table, key, flagged) {
  table[key] ??= empty();
  table[key].flagged += flagged ? 1 : 0;
  table[key].total += 1;
}

const sorted = (table) => Object.fromEntries(Object.entries(table).sort(([one], [other]) => (one < other ? -1 : 1)));

/**
 * @param {ReturnType<typeof import('./records.mjs').readRecords>} records
 * @param {Map<number, string[]>} planned
 * @param {Map<number, { flagged: boolean, threw: boolean }>} outcomes
 */
export function tally(records, planned, outcomes) {
  const pools = { injection: empty(), document: empty(), notinject: empty(), mail: empty(), other: empty() };
  const [injectionBySource, injectionByAttack, benignBySource] = [{}, {}, {}];
  let throws = 0;
  for (const [index, own] of planned) {
    const { source, attack, label } = records[index];
    const { flagged, threw } = outcomes.get(index);
    if (threw) throws++;
    for (const pool of own) count(pools, pool, flagged);
    if (label === 'injection') {
      count(injectionBySource, source, flagged);
      // Attack names begin with their set, but a set does not always have the name of its source.
      count(injectionByAttack, `${source} ${attack}`, flagged);
    } else count(benignBySource, source, flagged);
  }
  return {
    n: planned.size,
    throws,
    injection: pools.injection,
    benign: pools.document,
    notinject: pools.notinject,
    mail: pools.mail,
    injectionBySource: sorted(injectionBySource),
    injectionByAttack: sorted(injectionByAttack),
    benignBySource: sorted(benignBySource),
  };
}
