import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Io } from '../io.ts';
import { CommandError, printable } from '../terminal-text.ts';

const MAX_LENGTH = 4096;
/** What a header can carry. */
const KEY = /^[\x21-\x7e]+$/;

/** Where a person gives a key: at the terminal, and from a pipe. */
export interface KeySource {
  prompt(question: string): Promise<string>;
  stdin(): Promise<string>;
}

/** Reads a line without showing what is typed. */
async function hiddenLine(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  process.stdout.write(question);
  const interrupted = new Promise<never>((_, reject) => {
    reader.on('SIGINT', () => reject(new CommandError('no key was given.', 'run it again.', 130)));
  });
  try {
    return await Promise.race([reader.question(''), interrupted]);
  } finally {
    reader.close();
    process.stdout.write('\n');
  }
}

async function pipedText(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_LENGTH) break;
  }
  return text;
}

export const KEY_SOURCE: KeySource = { prompt: hiddenLine, stdin: pipedText };

async function textFrom(from: string, { environment }: Io, source: KeySource): Promise<string> {
  if (from === 'prompt') return source.prompt('Key (not shown): ');
  if (from === 'stdin') return source.stdin();
  const name = from.startsWith('env:') ? from.slice(4) : '';
  // Whoever gives the key itself here must not see it again in the message.
  if (name === '') throw new CommandError('--key-from is none of env:NAME, prompt and stdin.', 'give one of these.', 2);
  const value = environment[name];
  if (value) return value;
  throw new CommandError(`the environment variable ${printable(name, 60)} is not set.`, 'set it to the key.', 2);
}

/** The key that a person gives. */
export async function givenKey(from: string, io: Io, source: KeySource): Promise<string> {
  const key = (await textFrom(from, io, source)).trim();
  if (KEY.test(key) && key.length <= MAX_LENGTH) return key;
  throw new CommandError(
    key === '' ? 'no key was given.' : 'the key has characters that no key has, or is too long.',
    'give the key alone, on one line.',
    2,
  );
}
