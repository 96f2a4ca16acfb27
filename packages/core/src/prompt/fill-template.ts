import { randomBytes } from '@noble/hashes/utils.js';
import { SallyportError } from '../base/errors.ts';
import { fillPrompt, type Prompt } from './prompt.ts';
import { mapContext } from './template-filters.ts';

// A name that a template reaches a value by, and that can hardly say anything by itself.
const PLAIN_NAME = /^[A-Za-z_$][\w$]{0,63}$/;

/** Stands for the values while an engine renders: a mark of which nobody knows the code, one per text. */
class Marks {
  readonly #code = Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  readonly #texts: string[] = [];

  put(text: string): string {
    this.#texts.push(text);
    return `q${this.#code}n${this.#texts.length - 1}q`;
  }

  /** What was rendered, as the literals around the marks and the texts they stand for. */
  take(rendered: string): { readonly literals: readonly string[]; readonly texts: readonly string[] } {
    const pieces = rendered.split(new RegExp(`q${this.#code}n(\\d+)q`));
    const literals = pieces.filter((_, index) => index % 2 === 0);
    // Its beginning is enough: a filter may have cut it.
    const begun = this.#code.slice(0, 8);
    if (literals.some((literal) => literal.toLowerCase().includes(begun)))
      throw new SallyportError(
        'ERR_INVALID_PROMPT',
        'The template changes a value with a filter. Change it before, and put it in as it is.',
      );
    const texts = pieces.filter((_, index) => index % 2 === 1).map((index) => this.#texts[Number(index)] as string);
    return { literals, texts };
  }
}

/**
 * A `prompt` out of a template of any engine. The engine gets marks in place of the texts of the context; what it makes of the
 * template is the developer's, and where a mark stood, the text is data: escaped in a section, framed where it stands alone, and
 * judged as nobody's words when a call repeats it. A string that was rendered with the texts in it would vouch for all of them.
 *
 * The template can loop, choose and ask whether there is something. It cannot look into a text, nor change one.
 */
export function fillTemplate(
  render: (context: Record<string, unknown>) => string,
  context: Readonly<Record<string, unknown>>,
): Prompt {
  const marks = new Marks();
  const marked = mapContext(context, {
    // Empty stays empty: templates ask whether there is something.
    text: (text) => (text === '' ? '' : marks.put(text)),
    name: (name) => (PLAIN_NAME.test(name) ? name : marks.put(name)),
  });
  const rendered: unknown = render(marked);
  if (typeof rendered !== 'string')
    throw new SallyportError('ERR_INVALID_PROMPT', 'fillTemplate() takes a function that gives the rendered text.');
  const { literals, texts } = marks.take(rendered);
  return fillPrompt(literals, texts);
}
