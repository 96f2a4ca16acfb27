import { describeValue, refuse } from '../base/errors.ts';
import type { Generate } from '../call/generate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { judgeWith } from '../judge/judge-with.ts';

/** The model that judges the calls of an agent: its own (`true`), another one, or none (`false`). */
export type JudgeChoice = boolean | Generate;

/** Lets a model judge the calls of a conversation, if the application has chosen so. `own` makes the function that asks the agent's model. */
export function wireJudge(conversation: Conversation, choice: JudgeChoice, own: () => Generate): void {
  if (typeof choice !== 'boolean' && typeof choice !== 'function')
    refuse(
      `\`judge\` must be true, false or a function such as generateWith(model); received ${describeValue(choice)}.`,
    );
  if (choice !== false) conversation.useJudge(judgeWith(choice === true ? own() : choice));
}

/** The model of an agent whose requests name it. It is known from its first request on. */
export class LatestModel<Model> {
  #model: Model | undefined;

  /** Takes the model of a request. */
  record(model: Model | undefined): void {
    this.#model = model ?? this.#model;
  }

  /** Asks the latest model. */
  generateWith(make: (model: Model) => Generate): Generate {
    return async (request) => {
      if (this.#model === undefined)
        throw new TypeError(
          'The model of the agent is not known before its first request. Give `judge` a function such as generateWith().',
        );
      return make(this.#model)(request);
    };
  }
}
