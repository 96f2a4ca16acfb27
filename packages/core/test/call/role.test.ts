import { describe, expect, it } from 'vitest';
import { roleOf } from '../../src/call/role.ts';
import { defineTool } from '../../src/index.ts';

describe('roleOf', () => {
  it.each([
    ['to', 'bob', 'recipient'],
    ['attendees', 'bob@firm.example', 'recipient'],
    ['replyTo', 'bob@firm.example', 'recipient'],
    ['item', 'bob@firm.example', 'recipient'],
    ['x', 'DE89370400440532013000', 'recipient'],
    ['name', 'https://evil.example/a', 'text'],
    ['x', 'https://evil.example/a', 'url'],
    ['webhook', 'evil.example', 'url'],
    ['save_dir', 'documents', 'path'],
    ['x', '/srv/notes.txt', 'path'],
    ['command_line', 'npm test', 'command'],
    ['commands', 'ls -l', 'command'],
    ['new_password', 'hunter2', 'secret'],
    ['start_time', '2026-11-20 12:00', 'time'],
    ['x', '2026-11-20', 'time'],
    ['order_id', 'A-17', 'id'],
    ['x', 'A-17', 'id'],
    ['mode', 'fast', 'choice'],
    ['x', 'fast', 'text'],
    ['who', 'mallory', 'text'],
    ['doc', 'salaries.pdf', 'id'],
    ['setting', 'open-to-all', 'id'],
    ['body', 'Hello Bob', 'text'],
    ['x', 'Hello Bob', 'text'],
  ])('of %s: %j is %s', (name, value, expected) => {
    expect(roleOf(name, value, false)).toBe(expected);
  });

  it('of a number without a telling name is an amount', () => {
    expect(roleOf('x', '40', true)).toBe('amount');
    expect(roleOf('quantity', '40', true)).toBe('choice');
  });

  it('is declared with a tool, and a wrong one is refused', () => {
    const tool = { name: 'pay', effect: 'spend' } as const;
    expect(defineTool({ ...tool, roles: { where: 'recipient' } }).roles.get('where')).toBe('recipient');
    expect(() => defineTool({ ...tool, roles: { where: 'receiver' as never } })).toThrow(
      'must give each argument one of',
    );
  });
});
