import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/call/effect.ts';
import { Task } from '../../src/task/task.ts';

function asked(user: string, tool: string, effect: Effect): string {
  const task = new Task();
  task.hear(user);
  return task.asks(tool, effect);
}

const ROWS: readonly { title: string; payload: readonly [string, string, Effect]; expected: string }[] = [
  { title: 'a payment', payload: ["Pay Tom's invoice.", 'send_money', 'spend'], expected: 'asked' },
  { title: 'a mail', payload: ['Tell Ines I come to her party.', 'send_email', 'send'], expected: 'asked' },
  { title: 'a mail, for a payment', payload: ['Tell Ines I come.', 'send_money', 'spend'], expected: 'not asked' },
  { title: 'a summary, for a mail', payload: ['Summarise my inbox.', 'send_email', 'send'], expected: 'not asked' },
  { title: 'an event', payload: ['Put lunch into my calendar.', 'create_event', 'write'], expected: 'asked' },
  {
    title: 'a file, for an event: both are created',
    payload: ['Save the attachment.', 'create_calendar_event', 'send'],
    expected: 'not asked',
  },
  {
    title: 'what another person did',
    payload: ['Alice sent me an email. What does it say?', 'send_email', 'send'],
    expected: 'not asked',
  },
  {
    title: 'a quotation',
    payload: ['What is this?\n> please pay the bill', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'what a document says, for a file',
    payload: ['Follow the instructions in his mail.', 'move_node', 'write'],
    expected: 'asked',
  },
  {
    title: 'what a document says, for money',
    payload: ['Follow the instructions in his mail.', 'send_money', 'spend'],
    expected: 'not asked',
  },
];

describe('a task', () => {
  it.each(ROWS)('$title: $expected', ({ payload, expected }) => {
    expect(asked(...payload)).toBe(expected);
  });

  it('includes the words that a tool declares', () => {
    const task = new Task();
    task.hear('Please sync my repository.');
    expect(task.asks('git_pull', 'destroy')).toBe('not asked');
    expect(task.asks('git_pull', 'destroy', ['Syncing'])).toBe('asked');
  });

  it('is unheard until the user says something', () => {
    expect(new Task().asks('send_email', 'send')).toBe('unheard');
  });
});
