import type { Processor } from '@mastra/core/processors';
import { fieldsOf } from '@sallyport/core/adapter';
import type { Gate } from './gate.ts';
import { checkOffered, type Offer } from './offered.ts';
import { Developer } from './prompt/developer.ts';
import { show } from './prompt/show.ts';
import type { Rules } from './rules.ts';

type Method = 'processInput' | 'processInputStep' | 'processLLMRequest' | 'processLLMResponse';

export type BoundaryProcessor = Required<Pick<Processor<'sallyport'>, 'id' | Method>>;

/** The processor of an agent, and a function that its protected model has to call when it is asked. */
export function createProcessor(
  offer: Offer,
  gate: Gate,
  rules: Rules,
): { readonly processor: BoundaryProcessor; readonly onAsked: () => void } {
  const developer = new Developer();
  // How often the protected model was asked.
  let asked = 0;
  const onAsked = (): void => {
    asked += 1;
  };
  const processor: BoundaryProcessor = {
    id: 'sallyport',
    processInput({ messageList }) {
      developer.recordTexts(messageList);
      return messageList;
    },
    processInputStep({ tools, messageList, state }) {
      // The model refuses them too, but Mastra would ask it several times.
      checkOffered(offer, Object.keys(fieldsOf(tools)));
      rules.recordTools(tools);
      // Earlier versions do not pass the list when the prompt is built.
      state.messageList = messageList;
      return undefined;
    },
    async processLLMRequest({ prompt, messageList, state }) {
      state.asked = asked;
      await gate.recordDeclined(prompt);
      return { prompt: await show(offer.conversation, prompt, messageList ?? state.messageList, developer) };
    },
    async processLLMResponse({ chunks, state, fromCache }) {
      if (state.asked === asked && !fromCache)
        throw new Error(
          'The model that answered is not protected. Use the `model` that protect() returns, in the agent and in every call that has its own.',
        );
      await gate.recordAnswer(chunks);
    },
  };
  return { processor, onAsked };
}
