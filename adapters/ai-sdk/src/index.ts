import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
import { type DeclaredTools, type ProtectChoices, wireJudge, wireTools } from '@sallyport/core/adapter';
import {
  type FlexibleSchema,
  type LanguageModel,
  type LanguageModelMiddleware,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';
import { Answer, recorded } from './answer.ts';
import { generateWith } from './generate.ts';
import { guardTools } from './guard.ts';
import { checkOffered, declinedIn, offeredTools, Unchecked } from './offered.ts';
import { sanitized, sanitizedParts } from './output.ts';
import { show } from './show.ts';

export { type GenerateOptions, generateWith } from './generate.ts';
export { type RunScriptOptions, runScript, type ScriptRunner } from './script.ts';

/** A model object. A model that is given by its name cannot be protected. */
type ModelObject = Exclude<LanguageModel, string>;

/** The names of a tool's arguments; any string if its type does not say. */
type ArgumentsOf<T> = T extends { readonly inputSchema: FlexibleSchema<infer Input> }
  ? unknown extends Input
    ? string
    : Extract<keyof Input, string>
  : string;

/** The effects and origins of the tools: one declaration for each, whose arguments are those of the tool. */
export type Declarations<T extends ToolSet> = {
  readonly [Name in keyof T]: ToolDeclaration<ArgumentsOf<T[Name]>>;
};

/** Options of `protect`. */
export interface ProtectOptions<T extends ToolSet, M extends ModelObject = ModelObject> extends ProtectChoices {
  readonly model: M;
  readonly tools: T;
  /** Where the results of each tool come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations<T>>;
  /** Asks a person while the call waits. @default the SDK's own approval: the run ends with an approval request */
  readonly ask?: Ask;
}

/** A model and its tools, protected. Use both of them, and nothing else, in `generateText`, `streamText` or an agent. */
export interface Protected<T extends ToolSet, M extends ModelObject = ModelObject> {
  /** The same model. It is sent frames in place of tool results, and links of its answers that could carry data are removed. */
  readonly model: M;
  /** The same tools, gated. A call that is not allowed fails with a text from which the model can continue. */
  readonly tools: T;
}

/**
 * Puts the boundary of one conversation around a model and its tools: what the model reads, what it calls and what it answers.
 *
 * @example
 * ```ts
 * const { model, tools } = protect(boundary.conversation(chatId), {
 *   model: openai('gpt-5'),
 *   tools: mailTools,
 *   declare: {
 *     list_mails: { effect: 'read', origin: 'external' },
 *     send_mail: { effect: 'send', modelText: ['body'] },
 *   },
 * });
 * const { text } = await generateText({ model, tools, prompt });
 * ```
 */
export function protect<T extends ToolSet, M extends ModelObject>(
  conversation: Conversation,
  options: ProtectOptions<T, M>,
): Protected<T, M> {
  const { model, tools, declare, ask, judge = false, rawOutput = false } = options;
  if (typeof model !== 'object')
    throw new TypeError(
      "`model` must be a model object, such as openai('gpt-5'): a name is resolved where it is not protected.",
    );
  const descriptions = wireTools(conversation, offeredTools(tools), declare as DeclaredTools);
  wireJudge(conversation, judge, () => generateWith(model));
  const names = new Set(Object.keys(tools));
  const unchecked = new Unchecked();
  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      checkOffered(params.tools, names);
      unchecked.require(params.prompt);
      for (const id of declinedIn(params.prompt)) await conversation.decline(id);
      const prompt = await show(conversation, params.prompt);
      const offered = params.tools === undefined ? {} : { tools: await descriptions.shown(params.tools) };
      return { ...params, prompt, ...offered };
    },
    async wrapGenerate({ doGenerate }) {
      const generated = await doGenerate();
      const answer = new Answer(conversation, unchecked);
      for (const part of generated.content) await answer.record(part);
      return rawOutput ? generated : { ...generated, content: sanitized(conversation, generated.content) };
    },
    async wrapStream({ doStream }) {
      const streamed = await doStream();
      const stream = recorded(new Answer(conversation, unchecked), streamed.stream);
      return { ...streamed, stream: rawOutput ? stream : stream.pipeThrough(sanitizedParts(conversation)) };
    },
  };
  return {
    model: wrapLanguageModel({ model: model as never, middleware }) as unknown as M,
    tools: guardTools({ conversation, unchecked, ask }, tools),
  };
}
