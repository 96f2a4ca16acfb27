import { describeValue, refuse } from '../base/errors.ts';
import type { Generate } from '../call/generate.ts';
import { authorizeWith } from '../consult/authorize-with.ts';
import type { Conversation } from '../conversation/conversation.ts';

/** Whether a model says what each new message of the user authorizes: the agent's own (`true`), or another one. */
export type AuthorizeChoice = boolean | Generate;

/** Lets a model say what the user authorizes, if the application has chosen so. `own` makes the function that asks the agent's model. */
export function wireAuthorize(conversation: Conversation, choice: AuthorizeChoice, own: () => Generate): void {
  if (typeof choice !== 'boolean' && typeof choice !== 'function')
    refuse(
      `\`authorize\` must be true, false or a function such as generateWith(model); received ${describeValue(choice)}.`,
    );
  if (choice !== false) conversation.useAuthorize(authorizeWith(choice === true ? own() : choice));
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
          'The model of the agent is not known before its first request. Give `authorize` a function such as generateWith().',
        );
      return make(this.#model)(request);
    };
  }
}
