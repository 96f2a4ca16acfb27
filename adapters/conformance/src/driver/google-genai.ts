import {
  type CallableTool,
  type Chat,
  type Content,
  type FunctionCall,
  type FunctionResponse,
  GoogleGenAI,
  type Interactions,
  type Part,
  type Tool,
  type ToolListUnion,
} from '@google/genai';
import { protect } from '@sallyport/google-genai';
import {
  type Agent,
  type Answer,
  type AnswerPart,
  askOf,
  type Driver,
  type ScenarioTool,
  type Setup,
} from './driver.ts';

type Response = Pick<FunctionResponse, 'response' | 'parts'>;
type ResponsePart = NonNullable<FunctionResponse['parts']>[number];

function mediaOf(part: AnswerPart): ResponsePart[] {
  if (part.type === 'image') return [{ inlineData: { mimeType: part.mediaType, data: part.data } }];
  if (part.type !== 'file') return [];
  const data = Buffer.from(part.text).toString('base64');
  return [{ inlineData: { mimeType: part.mediaType, data, displayName: part.name } }];
}

function responseOf(answer: Answer): Response {
  switch (answer.type) {
    case 'text':
      return { response: { output: answer.text } };
    case 'json':
      return { response: { output: answer.value } };
    case 'parts': {
      const said = answer.parts.filter(({ type }) => type === 'text' || type === 'link');
      return { response: { output: said }, parts: answer.parts.flatMap(mediaOf) };
    }
  }
}

/** An error that a tool throws ends the whole run, so tools return it. */
function answered(tool: ScenarioTool, { args = {} }: FunctionCall): Response {
  try {
    return responseOf(tool.run(args));
  } catch (error) {
    return { response: { error: String(error) } };
  }
}

function schemaOf({ parameters }: ScenarioTool): Record<string, unknown> {
  const properties = Object.fromEntries(parameters.map((each) => [each, { type: 'string' }]));
  return { type: 'object', properties };
}

function callableOf(tool: ScenarioTool): CallableTool {
  const { name, description, isElsewhere = false } = tool;
  const definition = { functionDeclarations: [{ name, description, parametersJsonSchema: schemaOf(tool) }] };
  if (isElsewhere) return definition as never;
  return {
    tool: async () => definition,
    callTool: async (calls) =>
      calls
        .filter((call) => call.name === name)
        .map((call) => ({
          functionResponse: { ...(call.id === undefined ? {} : { id: call.id }), name, ...answered(tool, call) },
        })),
  };
}

interface Parts {
  readonly ai: GoogleGenAI;
  readonly tools: readonly (CallableTool | Tool)[];
}

async function assemble(setup: Setup): Promise<Parts> {
  const { url, conversation, tools, declare, judge, added, person, provided, forgotten } = setup;
  const retryOptions = { attempts: 2, initialDelay: 0.001, maxDelay: 0.001 };
  const options = { apiKey: 'none', httpOptions: { baseUrl: url, retryOptions } };
  const theirs: Tool[] =
    provided === undefined ? [] : [provided.type === 'search' ? { googleSearch: {} } : { codeExecution: {} }];
  const callables = [...tools.map(callableOf), ...theirs];
  if (conversation === undefined) return { ai: new GoogleGenAI(options), tools: callables };
  const guarded = await protect(conversation, {
    client: options,
    tools: callables,
    declare,
    judge,
    ...askOf(person),
  });
  const used = forgotten === 'tools' ? callables : guarded.tools;
  return {
    ai: forgotten === 'model' ? new GoogleGenAI(options) : guarded.client,
    tools: [...used, ...(added === undefined ? [] : [callableOf(added)])],
  };
}

async function start(setup: Setup): Promise<Agent> {
  const { ai, tools } = await assemble(setup);
  const config = { systemInstruction: setup.system, tools: tools as ToolListUnion };
  const resume = (history: unknown): Chat =>
    ai.chats.create({ model: 'scripted', config, ...(history === undefined ? {} : { history: history as never }) });
  let chat = resume(setup.stored);

  async function streamed(message: string): Promise<string> {
    let text = '';
    for await (const chunk of await chat.sendMessageStream({ message })) {
      // Text before the results of a call is not the answer.
      const hasResults = chunk.candidates?.[0]?.content?.parts?.some((part) => part.functionResponse !== undefined);
      text = hasResults === true ? '' : text + (chunk.text ?? '');
      setup.onPiece?.(chunk.text ?? '');
    }
    return text;
  }

  return {
    say: async (message) => (setup.stream ? streamed(message) : ((await chat.sendMessage({ message })).text ?? '')),
    stored: async () => chat.getHistory(),
    compact: async (summary) => {
      const asked = { role: 'user', parts: [{ text: 'Sum up what was so far.' }] };
      chat = resume([asked, { role: 'model', parts: [{ text: summary }] }]);
    },
  };
}

function stepOf(part: Part | undefined, id: string): Interactions.Step {
  return { type: 'function_result', call_id: id, result: part?.functionResponse?.response ?? {} };
}

/** The Interactions API has no automatic function calling: the application has its own loop, with the same tools. */
async function startHeld(setup: Setup): Promise<Agent> {
  const { ai, tools } = await assemble(setup);
  const declared = setup.tools.map((tool) => ({
    type: 'function' as const,
    name: tool.name,
    description: tool.description,
    parameters: schemaOf(tool),
  }));
  let previous = setup.stored as string | undefined;
  let earlier: Interactions.Step[] = [];

  async function interact(input: Interactions.Step[]): Promise<string> {
    const interaction = await ai.interactions.create({
      model: 'scripted',
      input,
      system_instruction: setup.system,
      tools: declared,
      ...(previous === undefined ? {} : { previous_interaction_id: previous }),
    });
    previous = interaction.id;
    const calls = interaction.steps.flatMap((step) => (step.type === 'function_call' ? [step] : []));
    if (calls.length === 0) return interaction.output_text ?? '';
    const results = calls.map(async ({ id, name, arguments: args }) => {
      const own = tools[setup.tools.findIndex((tool) => tool.name === name)];
      const [part] = (await (own as CallableTool | undefined)?.callTool([{ id, name, args }])) ?? [];
      return stepOf(part, id);
    });
    return interact(await Promise.all(results));
  }

  return {
    say: (text) => interact([...earlier.splice(0), { type: 'user_input', content: [{ type: 'text', text }] }]),
    stored: async () => previous,
    compact: async (summary) => {
      previous = undefined;
      earlier = [{ type: 'model_output', content: [{ type: 'text', text: summary }] }];
    },
  };
}

const impossible = {
  'no-execute':
    'The SDK refuses a function without `callTool` next to others. If no function has one, a loop of your own makes the calls, and has to check them.',
};

function pruned(history: readonly Content[]): readonly Content[] {
  const texts = history.map(({ role, parts = [] }) => ({
    ...(role === undefined ? {} : { role }),
    parts: parts.filter(({ text }) => text !== undefined),
  }));
  return texts.filter(({ parts }) => parts.length > 0);
}

/** The Google Gen AI SDK, with automatic function calling. */
export const googleGenai: Driver = { name: 'google-genai', format: 'gemini', impossible, start, startHeld, pruned };

/** The same with calls that have no id. The Interactions API always gives one. */
export const googleGenaiWithoutIds: Driver = {
  ...googleGenai,
  name: 'google-genai, calls without ids',
  format: 'gemini-without-ids',
};
