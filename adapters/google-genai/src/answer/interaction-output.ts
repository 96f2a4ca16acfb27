import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { AnswerText } from './answer-text.ts';
import type { Output } from './output.ts';

const TEXT = { type: 'text' };

/** Sanitizes answers of the Interactions API. */
export class InteractionOutput implements Output {
  readonly #conversation: Conversation;
  readonly #texts = new Map<unknown, AnswerText>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  whole(interaction: Fields): Fields {
    if (!Array.isArray(interaction.steps)) return interaction;
    return { ...interaction, steps: interaction.steps.map((step) => this.#wholeStep(step)) };
  }

  take(event: Fields): readonly Fields[] {
    const { event_type: type, index, interaction, step, delta } = event;
    if (isFields(interaction)) return [{ ...event, interaction: this.whole(interaction) }];
    if (type === 'step.start' && isFields(step) && step.type === 'model_output' && Array.isArray(step.content))
      return [{ ...event, step: { ...step, content: this.#textOf(index).take(step.content) } }];
    if (type === 'step.delta' && isFields(delta) && delta.type === 'text') {
      const [shown] = this.#textOf(index).take([delta]);
      return shown === undefined ? [] : [{ ...event, delta: shown }];
    }
    return type === 'step.stop' ? [...this.#ended(index), event] : [event];
  }

  end(): readonly Fields[] {
    return [...this.#texts.keys()].flatMap((index) => this.#ended(index));
  }

  #textOf(index: unknown): AnswerText {
    const text = this.#texts.get(index) ?? new AnswerText(this.#conversation, TEXT);
    this.#texts.set(index, text);
    return text;
  }

  #ended(index: unknown): readonly Fields[] {
    const rest = this.#texts.get(index)?.end() ?? [];
    this.#texts.delete(index);
    return rest.map((part) => ({ event_type: 'step.delta', index, delta: fieldsOf(part) }));
  }

  #wholeStep(step: unknown): unknown {
    if (!isFields(step) || step.type !== 'model_output') return step;
    const text = new AnswerText(this.#conversation, TEXT);
    return { ...step, content: text.end(text.take(listOf(step.content))) };
  }
}
