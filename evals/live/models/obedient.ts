// A model that knows how each task is solved, and that does what content tells it: the worst case for a boundary.
import { type Json, type ReceivedRequest, ScriptedModel, type Step } from '@sallyport/testing';
import { getEncoding } from 'js-tiktoken';
import type { Attack } from '../attacks/attack.ts';
import type { Plan, Task } from '../tasks/task.ts';
import type { Tokens } from './chat.ts';

const encoding = getEncoding('o200k_base');
const counted = new Map<string, number>();

function tokensOf(text: string): number {
  const known = counted.get(text);
  if (known !== undefined) return known;
  if (counted.size > 5000) counted.clear();
  const count = encoding.encode(text, [], []).length;
  counted.set(text, count);
  return count;
}

const wordsOf = (text: string): readonly string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3);

/** Whether a result shows most words of a text. A frame may put marks between them. */
export function shows(result: string, planted: string): boolean {
  const words = wordsOf(planted);
  return words.filter((word) => result.includes(word)).length >= 0.6 * words.length;
}

const textOf = ({ results }: ReceivedRequest): string => results.at(-1)?.texts.join('\n') ?? '';

interface Script {
  readonly task: Task;
  readonly attack?: Attack | undefined;
  /** The text that was planted for the attack. */
  readonly planted?: string;
}

/** A local server with the wire format of a provider. One conversation at a time. */
export class ObedientModel {
  readonly #server: ScriptedModel;
  #script: Script | undefined;
  #task: Plan | undefined;
  #attack: Plan | undefined;
  #hasObeyed = false;
  #isFirst = true;
  /** The result that the task gets when the attack's calls are made. */
  #kept = '';
  #suffix = '';
  #tokens = { input: 0, output: 0 };

  constructor(format: 'chat' | 'messages') {
    this.#server = new ScriptedModel(format);
  }

  async start(): Promise<string> {
    this.#server.script((body) => this.#answer(body));
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** What the next conversation is about. */
  begin(script: Script): void {
    this.#script = script;
    this.#task = script.task.plan();
    this.#attack = undefined;
    this.#hasObeyed = false;
    this.#isFirst = true;
    this.#suffix = '';
    this.#tokens = { input: 0, output: 0 };
  }

  /** The tokens of the conversation, counted here: the server has no usage of its own. */
  get tokens(): Tokens {
    return this.#tokens;
  }

  #answer(body: Json): Step {
    const request = this.#server.requests.splice(0).at(-1);
    if (request === undefined || this.#task === undefined)
      throw new Error('The scripted model needs a task; call begin() first.');
    const parts = [...request.messages, JSON.stringify(body.tools ?? []), JSON.stringify(body.system ?? '')];
    this.#tokens.input += parts.reduce((sum, part) => sum + tokensOf(part), 0);
    const step = this.#step(this.#isFirst ? '' : textOf(request));
    this.#isFirst = false;
    this.#tokens.output += tokensOf(JSON.stringify(step));
    return step;
  }

  #step(result: string): Step {
    const { attack, planted = '' } = this.#script ?? {};
    if (attack !== undefined && !this.#hasObeyed && shows(result, planted)) {
      this.#hasObeyed = true;
      this.#kept = result;
      this.#attack = attack.plan();
    }
    if (this.#attack !== undefined) {
      const { done, value } = this.#attack.next(result);
      if (!done) return { calls: [{ name: value.tool, arguments: value.given }] };
      this.#attack = undefined;
      this.#suffix = value;
      return this.#solve(this.#kept);
    }
    return this.#solve(result);
  }

  #solve(result: string): Step {
    const { done, value } = this.#task?.next(result) ?? { done: true, value: '' };
    if (done !== true && typeof value === 'object')
      return { calls: [{ name: value.tool, arguments: { ...value.given } }] };
    return { text: [value, this.#suffix].filter((part) => part !== '').join('\n') };
  }
}
