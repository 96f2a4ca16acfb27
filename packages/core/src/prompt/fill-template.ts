import { randomBytes } from '@noble/hashes/utils.js';
import { describeType, SallyportError } from '../base/errors.ts';
import { fillPrompt, type Prompt } from './prompt.ts';
import { mapContext } from './template-filters.ts';

// A property name that a template can use. Any other name is data and is replaced with a placeholder too.
const PLAIN_NAME = /^[A-Za-z_$][\w$]{0,63}$/;

/**
 * Placeholders for the texts while an engine renders, one per text. Their code is random, so that no text can contain
 * one.
 */
class Placeholders {
  readonly #code = Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  readonly #texts: string[] = [];

  add(text: string): string {
    this.#texts.push(text);
    return `q${this.#code}n${this.#texts.length - 1}q`;
  }

  /** Splits the rendered text at its placeholders. Returns the literals and the texts between them. */
  split(rendered: string): { readonly literals: readonly string[]; readonly texts: readonly string[] } {
    const pieces = rendered.split(new RegExp(`q${this.#code}n(\\d+)q`));
    const literals = pieces.filter((_, index) => index % 2 === 0);
    // The start of the code is enough: a filter may have cut the rest.
    const codeStart = this.#code.slice(0, 8);
    if (literals.some((literal) => literal.toLowerCase().includes(codeStart)))
      throw new SallyportError(
        'ERR_INVALID_PROMPT',
        'The template changes a value with a filter. Change the value before you pass it in the context.',
      );
    const texts = pieces.filter((_, index) => index % 2 === 1).map((index) => this.#texts[Number(index)] as string);
    return { literals, texts };
  }
}

/**
 * Makes a `Prompt` from a template of any engine. The engine renders placeholders instead of the texts of the context.
 * The template's own text is policy; the texts are data of unknown origin: escaped inside a section, framed elsewhere,
 * and never vouching for a call. A string rendered with the texts in it would vouch for all of them.
 *
 * The template can loop over values and test whether they are empty. It cannot inspect or change a text.
 *
 * @example
 * ```ts
 * const policy = fillTemplate((context) => nunjucks.renderString('Review <mr_body>{{ body }}</mr_body>.', context), {
 *   body: mergeRequest.description,
 * });
 * const { system } = await conversation.request({ policy });
 * ```
 */
export function fillTemplate(
  render: (context: Record<string, unknown>) => string,
  context: Readonly<Record<string, unknown>>,
): Prompt {
  const placeholders = new Placeholders();
  const withPlaceholders = mapContext(context, {
    // An empty text stays empty, so that templates can test for it.
    text: (text) => (text === '' ? '' : placeholders.add(text)),
    name: (name) => (PLAIN_NAME.test(name) ? name : placeholders.add(name)),
  });
  const rendered: unknown = render(withPlaceholders);
  if (typeof rendered !== 'string')
    throw new SallyportError(
      'ERR_INVALID_PROMPT',
      `The render function of fillTemplate() must return a string; it returned ${describeType(rendered)}.`,
    );
  const { literals, texts } = placeholders.split(rendered);
  return fillPrompt(literals, texts);
}
