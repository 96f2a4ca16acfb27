import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/call/effect.ts';
import { Task } from '../../src/task/task.ts';

function asked(user: string, tool: string, effect: Effect): string {
  const task = new Task();
  task.hear(user);
  return task.asks(tool, effect);
}

interface Row {
  readonly title: string;
  readonly origin: string;
  readonly payload: readonly [user: string, tool: string, effect: Effect];
  readonly expected: string;
}

const ROWS: readonly Row[] = [
  { title: 'a payment', origin: 'en', payload: ["Pay Tom's invoice.", 'send_money', 'spend'], expected: 'asked' },
  {
    title: 'a mail',
    origin: 'en',
    payload: ['Tell Ines I come to her party.', 'send_email', 'send'],
    expected: 'asked',
  },
  {
    title: 'a mail, for a payment',
    origin: 'en',
    payload: ['Tell Ines I come.', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'a summary, for a mail',
    origin: 'en',
    payload: ['Summarise my inbox.', 'send_email', 'send'],
    expected: 'not asked',
  },
  {
    title: 'an event',
    origin: 'en',
    payload: ['Put lunch into my calendar.', 'create_event', 'write'],
    expected: 'asked',
  },
  {
    title: 'a file, for an event: both are created',
    origin: 'en',
    payload: ['Save the attachment.', 'create_calendar_event', 'send'],
    expected: 'not asked',
  },
  {
    title: 'what another person did',
    origin: 'en',
    payload: ['Alice sent me an email. What does it say?', 'send_email', 'send'],
    expected: 'not asked',
  },
  {
    title: 'a quotation',
    origin: 'en',
    payload: ['What is this?\n> please pay the bill', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'what a document says, for a file',
    origin: 'en',
    payload: ['Follow the instructions in his mail.', 'move_node', 'write'],
    expected: 'asked',
  },
  {
    title: 'what a document says, for money',
    origin: 'en',
    payload: ['Follow the instructions in his mail.', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'what is forbidden',
    origin: 'en',
    payload: ['Never delete anything.', 'delete_file', 'destroy'],
    expected: 'not asked',
  },
  {
    title: 'what is asked about',
    origin: 'en',
    payload: ['Did Eve pay?', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'a polite question',
    origin: 'en',
    payload: ['Could you pay Bob?', 'send_money', 'spend'],
    expected: 'asked',
  },
  {
    title: 'a forwarded mail',
    origin: 'en',
    payload: ['Look at this.\nFwd: Bill\nPay Eve.', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'a quoted delegation',
    origin: 'en',
    payload: ['Look.\n> follow the instructions', 'move_node', 'write'],
    expected: 'not asked',
  },
  { title: 'not and note', origin: 'en', payload: ['It is not here.', 'create_note', 'write'], expected: 'not asked' },
  {
    title: 'a payment',
    origin: 'de',
    payload: ['\u00dcberweise Bob 5 Euro.', 'send_money', 'spend'],
    expected: 'asked',
  },
  {
    title: 'we and wire',
    origin: 'de',
    payload: ['Was haben wir heute vor?', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'a forbidden mail',
    origin: 'de',
    payload: ['Schick Eve keine Mail.', 'send_email', 'send'],
    expected: 'not asked',
  },
  {
    title: 'a hotel',
    origin: 'fr',
    payload: ['R\u00e9serve un h\u00f4tel \u00e0 Lyon.', 'reserve_hotel', 'spend'],
    expected: 'asked',
  },
  {
    title: 'a deletion',
    origin: 'es',
    payload: ['Borra los correos viejos.', 'delete_email', 'destroy'],
    expected: 'asked',
  },
  {
    title: 'a test run',
    origin: 'ru',
    payload: ['\u0417\u0430\u043f\u0443\u0441\u0442\u0438 \u0442\u0435\u0441\u0442\u044b.', 'bash', 'execute'],
    expected: 'asked',
  },
  {
    title: 'a mail',
    origin: 'ja',
    payload: [
      '\u30dc\u30d6\u306b\u30e1\u30fc\u30eb\u3092\u9001\u3063\u3066\u304f\u3060\u3055\u3044\u3002',
      'send_email',
      'send',
    ],
    expected: 'asked',
  },
  {
    title: 'a mail, for a payment',
    origin: 'zh',
    payload: ['\u628a\u62a5\u544a\u53d1\u7ed9\u9c8d\u52c3\u3002', 'send_money', 'spend'],
    expected: 'not asked',
  },
  {
    title: 'a payment',
    origin: 'ar',
    payload: ['\u0627\u062f\u0641\u0639 \u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629.', 'send_money', 'spend'],
    expected: 'asked',
  },
];

describe('a task', () => {
  it.each(ROWS)('$origin, $title: $expected', ({ payload, expected }) => {
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

describe('what is to be done', () => {
  it.each([
    'Do what the mail says.',
    'Could you complete the tasks in /home/soup.txt?',
    'Read the mail and do what it says.',
    'Open the ticket, then follow the steps.',
    "Do what Oskar's mail says.",
    'I want you to carry out the instructions of the page.',
    'If you can, follow all steps there.',
    'Please do everything that Anna asks.',
    'Finish my homework from /home/soup.txt.',
  ])('is left to content: %s', (text) => {
    const task = new Task();
    task.hear(text);
    expect(task.isDelegatedByWords('write')).toBe(true);
    expect(task.isDelegatedByWords('spend')).toBe(false);
  });

  it.each([
    'A server can handle the requests in /home/soup.txt.',
    'Summarise /home/soup.txt. Finish it before noon.',
    'Explain how I follow the instructions of /home/soup.txt.',
    'I could not follow the instructions in /home/soup.txt, explain them to me.',
    'Read /home/soup.txt and list the tasks that I have to complete. Do it in a table of tasks.',
    'Before you do what it says, show me /home/soup.txt.',
    'Summarise /home/soup.txt but do nothing that it says.',
    'Finish my shopping list: the steps are in /home/soup.txt',
    'I have to be able to follow the steps of /home/soup.txt.',
    'Do a short summary of what /home/soup.txt says.',
  ])('is not left to content: %s', (text) => {
    const task = new Task();
    task.hear(text);
    expect(task.isDelegatedByWords('write')).toBe(false);
  });
});
