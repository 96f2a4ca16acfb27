import { type Fields, isFields, listOf } from './log.ts';

/** What a value of a log holds of a conversation, at whichever places it is written down. */
export interface Gathered {
  /** What stands before all messages: `system`, `instructions`. */
  readonly policy: readonly unknown[];
  readonly messages: readonly unknown[];
  /** What the model answered, where it is written down beside the request. */
  readonly answers: readonly unknown[];
  /** Names of what could not be taken for messages. */
  readonly missed: readonly string[];
}

const ANSWERS = ['response', 'choices', 'output'] as const;
const CALLS = /^(?:tool|function)_?(?:calls?|uses?|invocations?)$/i;

function choicesIn(choices: readonly unknown[]): readonly unknown[] | undefined {
  const messages = choices.flatMap((choice) => (isFields(choice) && isFields(choice.message) ? [choice.message] : []));
  return messages.length === choices.length ? messages : undefined;
}

/** The messages of an answer; undefined where it is none that is known. */
function answersIn(answer: unknown): readonly unknown[] | undefined {
  if (typeof answer === 'string') return [{ role: 'assistant', content: answer }];
  if (Array.isArray(answer)) return answer;
  if (!isFields(answer)) return undefined;
  if (Array.isArray(answer.choices)) return choicesIn(answer.choices);
  if (Array.isArray(answer.output)) return answer.output;
  if (Array.isArray(answer.messages)) return answer.messages;
  if (isFields(answer.message)) return [answer.message];
  return [answer.role, answer.type].some((each) => typeof each === 'string') ? [answer] : undefined;
}

function checkpointIn({ channel_values: own, checkpoint }: Fields): readonly unknown[] {
  const inner = isFields(checkpoint) ? checkpoint.channel_values : undefined;
  const values = isFields(own) ? own : isFields(inner) ? inner : {};
  return listOf((values as Fields).messages);
}

/** What was asked: beside messages, `input` may be anything that somebody noted, and nobody vouches that the user said it. */
function askedIn({ messages, input }: Fields): readonly unknown[] {
  if (listOf(messages).length > 0) return listOf(messages);
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
}

export function gather(value: unknown): Gathered {
  if (Array.isArray(value)) return { policy: [], messages: value, answers: [], missed: [] };
  const fields = isFields(value) ? value : {};
  const found = ANSWERS.filter((name) => (fields[name] ?? undefined) !== undefined).map((name) => {
    const answer = name === 'choices' ? { choices: fields[name] } : fields[name];
    return { name, messages: answersIn(answer) };
  });
  // The answer of Anthropic's messages may be written into the request itself.
  const own = fields.role === 'assistant' && ('content' in fields || 'tool_calls' in fields) ? [fields] : [];
  const isTwice = listOf(fields.messages).length > 0 && listOf(fields.input).length > 0;
  return {
    policy: [fields.system, fields.instructions].filter((each) => each !== undefined && each !== null),
    messages: [...checkpointIn(fields), ...askedIn(fields)],
    answers: [...found.flatMap(({ messages }) => messages ?? []), ...own],
    missed: [
      ...found.filter(({ messages }) => messages === undefined).map(({ name }) => name),
      ...(isTwice ? ['input'] : []),
    ],
  };
}

/** Names beside the messages under which calls seem to be listed. */
export function callsBeside(value: unknown): readonly string[] {
  if (!isFields(value) || value.role !== undefined) return [];
  return Object.keys(value).filter((name) => CALLS.test(name) && listOf(value[name]).length > 0);
}

/** Whether a table is a conversation, and no message of one. */
function isLog(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { messages, input, choices, channel_values: values, checkpoint } = value;
  return (
    [messages, input, choices].some(Array.isArray) ||
    [values, checkpoint].some(isFields) ||
    value.object === 'response' ||
    'resourceSpans' in value
  );
}

/** Whether a value is a list of conversations, and not one of messages. */
export function isListOfLogs(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && (value.some(isLog) || value.every(Array.isArray));
}
