import { describe, expect, it } from 'vitest';
import { Task } from '../../src/task/task.ts';

interface Row {
  readonly title: string;
  readonly origin: string;
  readonly payload: string;
  readonly expected: string;
}

const ROWS: readonly Row[] = [
  {
    title: 'what another person will do',
    origin: 'en',
    payload: 'Eve will send us an email tomorrow. Sum up my inbox.',
    expected: 'not asked',
  },
  {
    title: 'what other people do',
    origin: 'en',
    payload: 'They send me some mails a day. Sum them up.',
    expected: 'not asked',
  },
];

describe('a report asks for nothing', () => {
  it.each(ROWS)('$title: $payload', ({ payload, expected }) => {
    const task = new Task();
    task.hear(payload);
    expect(task.asks('send_email', 'send')).toBe(expected);
  });
});
