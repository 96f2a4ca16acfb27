import { createBoundary, source } from '@sallyport/core';
import type { MemoryOptions } from './memory.ts';

/** Joins the passages of a definition: an instruction may be divided among them. */
const BETWEEN = '\n\n';
const MAX_PARTS = 200;
/** Hidden characters that are part of no script: tags, bidirectional controls, and spaces without a width. */
const HIDDEN = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

/** Checks the prose of a definition on its first use. */
export class DefinitionCheck {
  readonly #boundary: ReturnType<typeof createBoundary>;

  constructor({
    maxRead,
    maxReadTotal,
    log,
    randomId,
    owner,
    definitionsKey,
    onEvent,
    onFlagged,
    onSpans,
    onRead,
    ...options
  }: MemoryOptions) {
    this.#boundary = createBoundary(options);
  }

  /** False if a text may address the model, imitates a frame, hides characters, or was not checked as a whole. */
  async isClean(texts: readonly string[]): Promise<boolean> {
    if (texts.some((text) => HIDDEN.test(text) || !text.isWellFormed())) return false;
    const all = texts.length > 1 ? [...texts, texts.join(BETWEEN)] : texts;
    for (let from = 0; from < all.length; from += MAX_PARTS)
      if (!(await this.#areClean(all.slice(from, from + MAX_PARTS)))) return false;
    return true;
  }

  async #areClean(texts: readonly string[]): Promise<boolean> {
    const conversation = this.#boundary.conversation('definitions');
    const content = texts.map((text) => ({ type: 'text' as const, text }));
    const recorded = conversation.addContent({ id: 'definition', source: source('external'), content });
    const { quoted } = await conversation.frame(recorded);
    return (
      quoted.parts.length === texts.length &&
      quoted.parts.every(
        ({ classified: { verdict, limited }, marks, markers }) =>
          verdict.type === 'checked' && limited.cut === undefined && marks.length === 0 && markers.length === 0,
      )
    );
  }
}
