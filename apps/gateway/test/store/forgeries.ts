/** A change of the audit by an attacker with all rights in the database. `$1` is the workspace, `$2` another one. */
export interface Forgery {
  readonly title: string;
  readonly sql: readonly string[];
}

const OF = "where workspace_id = '$1'";

/** Hashes and numbers all rows anew, as an attacker can who knows the format. The MACs stay, or are those of other rows. */
const REHASH = `do $do$
declare line record; before bytea := decode(encode(sha256(uuid_send('$1')), 'hex'), 'hex'); number bigint := 0; begin
  for line in select * from audit ${OF} order by seq, at loop
    number := number + 1;
    before := sha256(before || int8send(number) || int8send((extract(epoch from line.at) * 1000)::bigint) || convert_to(line.payload, 'UTF8'));
    update audit set hash = before, seq = number ${OF} and seq = line.seq and at = line.at;
  end loop;
  delete from audit_checkpoints ${OF};
end $do$`;

const drop = (condition: string): string => `delete from audit ${OF} and ${condition}`;
const set = (assignment: string, seq: number): string => `update audit set ${assignment} ${OF} and seq = ${seq}`;
const point = (assignment: string, seq: number): string =>
  `update audit_checkpoints set ${assignment} ${OF} and seq = ${seq}`;
const unsign = (seq: number): string => `delete from audit_checkpoints ${OF} and seq > ${seq}`;
const copy = (columns: string, condition: string): string =>
  `insert into audit select ${columns} from audit ${OF} and ${condition}`;

/** The chain has nine rows, signed at 3, 6 and 9. There is an anchor at 9. */
export const FORGERIES: readonly Forgery[] = [
  { title: 'the payload of a row', sql: [set("payload = '{}'", 5)] },
  { title: 'one space in a payload', sql: [set("payload = payload || ' '", 1)] },
  { title: 'a denial turned into an approval', sql: [set("payload = replace(payload, 'changed', 'removed')", 4)] },
  { title: 'the hash of a row', sql: [set("hash = sha256('x')", 9)] },
  { title: 'the MAC of a row', sql: [set("mac = sha256('x')", 5)] },
  { title: 'no MAC', sql: [set("mac = ''", 5)] },
  {
    title: 'the MAC of another row',
    sql: [`update audit set mac = (select mac from audit ${OF} and seq = 4) ${OF} and seq = 5`],
  },
  { title: 'the time of a row, to an hour before', sql: [set("at = at - interval '1 hour'", 5)] },
  { title: 'the time of a row, by a millisecond', sql: [set("at = at + interval '1 ms'", 5)] },
  { title: 'the number of a row', sql: [set('seq = 50', 5)] },
  { title: 'the workspace of a row', sql: [set("workspace_id = '$2'", 5)] },
  { title: 'the first row removed', sql: [drop('seq = 1')] },
  { title: 'a row in the middle removed', sql: [drop('seq = 5')] },
  { title: 'the last row removed', sql: [drop('seq = 9')] },
  { title: 'all rows removed', sql: [drop('true')] },
  { title: 'all rows and all signatures removed', sql: [drop('true'), unsign(0)] },
  { title: 'rows up to a signature removed', sql: [drop('seq <= 6')] },
  { title: 'the end cut off, with its signatures', sql: [drop('seq > 6'), unsign(6)] },
  { title: 'the end cut off to between signatures', sql: [drop('seq > 7'), unsign(6)] },
  {
    title: 'a row removed and the others moved up',
    sql: [drop('seq = 5'), `update audit set seq = seq - 1 ${OF} and seq > 5`],
  },
  { title: 'two rows exchanged', sql: [set('seq = -4', 4), set('seq = 4', 5), set('seq = 5', -4)] },
  {
    title: 'two payloads exchanged',
    sql: [
      `update audit one set payload = other.payload from audit other where one.workspace_id = '$1'
    and other.workspace_id = '$1' and (one.seq, other.seq) in ((4, 5), (5, 4))`,
    ],
  },
  { title: 'a row twice', sql: [copy("workspace_id, seq, at + interval '1 ms', payload, hash, mac", 'seq = 5')] },
  { title: 'an old row replayed at the end', sql: [copy('workspace_id, 10, now(), payload, hash, mac', 'seq = 5')] },
  { title: 'a row before the first', sql: [copy('workspace_id, 0, at, payload, hash, mac', 'seq = 1')] },
  {
    title: 'a row of its own at the end',
    sql: [copy("workspace_id, 10, date_trunc('second', now()), '{}', sha256('x'), mac", 'seq = 9')],
  },
  {
    title: 'a row inserted, the others renumbered',
    sql: [
      `update audit set seq = seq + 1001 ${OF} and seq >= 5`,
      copy('workspace_id, 5, at, payload, hash, mac', 'seq = 4'),
      `update audit set seq = seq - 1000 ${OF} and seq > 1000`,
    ],
  },
  { title: 'all hashes made anew over a changed row', sql: [set("payload = '{}'", 2), REHASH] },
  { title: 'all hashes made anew over the last row', sql: [set("payload = '{}'", 9), REHASH] },
  { title: 'all hashes made anew without a row', sql: [drop('seq = 5'), REHASH] },
  {
    title: 'all hashes made anew in another order',
    sql: [set('seq = -4', 4), set('seq = 4', 5), set('seq = 5', -4), REHASH],
  },
  { title: 'the signature of a checkpoint', sql: [point("signature = sha512('x')", 3)] },
  { title: 'no signature in a checkpoint', sql: [point("signature = ''", 3)] },
  { title: 'the hash of a checkpoint', sql: [point("hash = sha256('x')", 9)] },
  { title: 'a checkpoint at another number', sql: [point('seq = 8', 9)] },
  { title: 'a checkpoint ahead of the rows', sql: [point('seq = 12', 9)] },
  { title: 'a start made of a head, to hide what was removed', sql: [point("kind = 'start'", 6), drop('seq <= 6')] },
  {
    title: 'a start without a signature, to hide what was removed',
    sql: [
      `insert into audit_checkpoints select '$1', 6, 'start', hash, sha512('x') from audit ${OF} and seq = 6`,
      drop('seq <= 6'),
    ],
  },
  {
    title: 'signatures of another workspace',
    sql: [
      `delete from audit_checkpoints ${OF}`,
      "update audit_checkpoints set workspace_id = '$1' where workspace_id = '$2'",
    ],
  },
  {
    title: 'the chain of another workspace',
    sql: [drop('true'), "update audit set workspace_id = '$1' where workspace_id = '$2'"],
  },
  {
    title: 'the chain and the signatures of another workspace',
    sql: [
      drop('true'),
      `delete from audit_checkpoints ${OF}`,
      "update audit set workspace_id = '$1' where workspace_id = '$2'",
      "update audit_checkpoints set workspace_id = '$1' where workspace_id = '$2'",
    ],
  },
  {
    title: 'an older snapshot of both tables restored',
    sql: [
      `create temp table old_rows as select * from audit ${OF} and seq <= 6`,
      drop('true'),
      unsign(6),
      'insert into audit select * from old_rows',
      'drop table old_rows',
    ],
  },
  {
    title: 'an older snapshot restored, and grown again to the same length by its own hashes',
    sql: [
      drop('seq > 6'),
      unsign(6),
      ...[7, 8, 9].map((seq) => copy(`workspace_id, ${seq}, at, '{}', hash, mac`, 'seq = 6')),
      REHASH,
    ],
  },
  {
    title: 'all signatures removed, long after',
    sql: [unsign(0), `update audit set at = at - interval '1 hour' ${OF}`],
  },
];
