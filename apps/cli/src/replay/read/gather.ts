import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';

/** The parts of a conversation, from all fields that may contain them. */
export interface Gathered {
  /** The system prompt: `system`, `instructions`. */
  readonly policy: readonly unknown[];
  readonly messages: readonly unknown[];
  /** The answers of the model, if they are logged next to the request. */
  readonly answers: readonly unknown[];
  /** Names of the fields that could not be read as messages. */
  readonly missed: readonly string[];
}

const ANSWERS = ['response', 'choices', 'output'] as const;
const CALLS = /^(?:tool|function)_?(?:calls?|uses?|invocations?)$/i;

function choicesIn(choices: readonly unknown[]): readonly unknown[] | undefined {
  const messages = choices.flatMap((choice) => (isFields(choice) && isFields(choice.message) ? [choice.message] : []));
  return messages.length === choices.length ? messages : undefined;
}

/** The messages of an answer; undefined if its form is unknown. */
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
  const values = isFields(own) ? own : fieldsOf(fieldsOf(checkpoint).channel_values);
  return listOf(values.messages);
}

/** The request. Next to `messages`, an `input` field is ignored: it may contain anything, not only words of the user. */
function requestIn({ messages, input }: Fields): readonly unknown[] {
  if (listOf(messages).length > 0) return listOf(messages);
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
}

export function gather(value: unknown): Gathered {
  if (Array.isArray(value)) return { policy: [], messages: value, answers: [], missed: [] };
  const fields = fieldsOf(value);
  const found = ANSWERS.filter((name) => (fields[name] ?? undefined) !== undefined).map((name) => {
    const answer = name === 'choices' ? { choices: fields[name] } : fields[name];
    return { name, messages: answersIn(answer) };
  });
  // An answer of Anthropic's Messages API may be merged into the request.
  const merged = fields.role === 'assistant' && ('content' in fields || 'tool_calls' in fields) ? [fields] : [];
  const isInputIgnored = listOf(fields.messages).length > 0 && listOf(fields.input).length > 0;
  return {
    policy: [fields.system, fields.instructions].filter((each) => each !== undefined && each !== null),
    messages: [...checkpointIn(fields), ...requestIn(fields)],
    answers: [...found.flatMap(({ messages }) => messages ?? []), ...merged],
    missed: [
      ...found.filter(({ messages }) => messages === undefined).map(({ name }) => name),
      ...(isInputIgnored ? ['input'] : []),
    ],
  };
}

/** Names of fields outside the messages that seem to list calls. */
export function unreadCallFields(value: unknown): readonly string[] {
  if (!isFields(value) || value.role !== undefined) return [];
  return Object.keys(value).filter((name) => CALLS.test(name) && listOf(value[name]).length > 0);
}

/** Recognizes a conversation, as opposed to a message. */
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

/** Recognizes a list of conversations, as opposed to one of messages. */
export function isListOfLogs(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && (value.some(isLog) || value.every(Array.isArray));
}
