import { expect, test } from 'vitest';
import { storedPolicy } from '../../src/store/policy/stored.ts';

const ALL = ['asked', 'not asked', 'unheard'];
const inAll = (cells: object) => Object.fromEntries(ALL.map((row) => [row, cells]));

/** A table as it is read, in a policy that was stored with it for all tools and for one. */
function read(cells: object): unknown {
  const table = { send: cells };
  const body = { table, servers: { mail: { tools: { send: { effect: 'send', table } } } } };
  const policy = storedPolicy(body as never);
  expect(policy.servers?.mail?.tools?.send).toEqual({ effect: 'send', table: policy.table });
  return policy.table?.send;
}

test.each([
  { title: 'a table of this version', cells: { content: 'allow', instructed: 'ask' }, now: 'the same' },
  {
    title: 'the strictest of rows',
    cells: { asked: { model: 'ask' }, unheard: { model: 'deny' }, 'not asked': { model: 'allow' } },
    now: { model: 'deny' },
  },
  {
    title: 'a question',
    cells: { unheard: { content: 'ask', trusted: 'ask' } },
    now: { trusted: 'ask', content: 'ask' },
  },
  {
    title: 'the strictest of content, what was pointed at and requests',
    cells: { unheard: { named: 'allow', content: 'ask', requested: 'deny' } },
    now: { content: 'deny' },
  },
  { title: 'a request alone', cells: { asked: { requested: 'deny' } }, now: { content: 'deny' } },
  { title: 'what all rows allow', cells: inAll({ model: 'allow' }), now: { model: 'allow' } },
  { title: 'no more than what was allowed in one row', cells: { asked: { model: 'allow' } }, now: {} },
  { title: 'no more than what was allowed of content', cells: inAll({ content: 'allow', named: 'allow' }), now: {} },
  { title: 'what all rows ask about', cells: inAll({ instructed: 'ask' }), now: { instructed: 'ask' } },
  { title: 'no more than what one row asked about', cells: { asked: { instructed: 'ask' } }, now: {} },
  { title: 'no cells', cells: { unheard: {} }, now: {} },
])('$title', ({ cells, now }) => expect(read(cells)).toEqual(now === 'the same' ? cells : now));
