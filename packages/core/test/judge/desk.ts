import type { EventDetails } from '../../src/event.ts';
import {
  type BoundaryOptions,
  createBoundary,
  type Decision,
  defineTool,
  type JudgeAnswer,
  type JudgeOptions,
  type JudgeQuestion,
} from '../../src/index.ts';
import { bare } from '../fixture/bare.ts';
import { signs } from '../world.ts';

export const IBAN = 'GB33BUKB20201555555555';
export const MAIL = `The boiler repair was 240 EUR, account ${IBAN}. Write to tom@plumber.example.`;
export const YES: JudgeAnswer = { act: true, target: true, careful: false, reason: 'They asked for it.' };
export const NO: JudgeAnswer = { act: false, target: true, careful: false, reason: 'Nobody asked for it.' };

const TOOLS = [
  defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['body'] }),
  defineTool({ name: 'pay', origin: 'workspace', effect: 'spend', modelText: ['note'] }),
  defineTool({ name: 'delete_file', origin: 'workspace', effect: 'destroy', modelText: ['note'] }),
];

export interface Desk {
  readonly said?: string;
  readonly mail?: string;
  /** The answers, one after the other; the last one again and again. */
  readonly answers?: readonly unknown[];
  readonly judge?: Omit<JudgeOptions, 'ask'>;
  readonly options?: BoundaryOptions;
}

/** A conversation that has read a mail, with a judge whose questions are kept. */
export async function desk({
  said = 'Pay the plumber.',
  mail = MAIL,
  answers = [YES],
  judge = {},
  options = {},
}: Desk = {}) {
  const questions: JudgeQuestion[] = [];
  const events: EventDetails[] = [];
  const boundary = createBoundary({
    ...{ tools: TOOLS, classifier: signs, onEvent: (event) => events.push(bare(event)) },
    judge: {
      ask: (question) => {
        questions.push(question);
        const answer = answers[Math.min(questions.length, answers.length) - 1];
        return (typeof answer === 'function' ? answer() : answer) as JudgeAnswer;
      },
      ...judge,
    },
    ...options,
  });
  const conversation = boundary.conversation('c');
  if (said !== '') conversation.addUserMessage(said);
  await conversation.request();
  if (mail !== '') {
    await conversation.check({ id: 'r', tool: 'read_mail', arguments: {} });
    conversation.addToolResult({ id: 'r', tool: 'read_mail', content: mail });
    await conversation.request();
  }
  let calls = 0;
  const check = (tool: string, given: object): Promise<Decision> =>
    conversation.check({ id: `call-${++calls}`, tool, arguments: given });
  const outcome = async (tool: string, given: object): Promise<string> => {
    const { outcome: decided, rule } = await check(tool, given);
    return `${decided} ${rule}`;
  };
  const of = (type: EventDetails['type']) => events.filter((event) => event.type === type);
  return { conversation, questions, check, outcome, of };
}
