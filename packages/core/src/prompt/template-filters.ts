import { canonicalJson } from '../base/canonical-json.ts';
import { describeType, describeValue, SallyportError } from '../base/errors.ts';
import { parseJson } from '../base/parse-json.ts';
import { neutralizeOpen } from '../text/escape-markers.ts';
import { readSectionName, type Vocabulary, vocabularyFor } from '../text/reserved-names.ts';

// A template can write `<mr_body{% if x %} a="b"{% endif %}>` as well as `<mr_body>`. The name cannot contain a `<`, so
// no range is read twice and the search is linear.
const TAG = /<\/?([^\s<>/{}"'=]+)(?=[\s/>{])/g;
const MAX_DEPTH = 100;

/** The vocabulary for a list of sections. A plain string is refused: it would be read as a list of letters. */
function vocabularyOf(sections: readonly string[]): Vocabulary {
  if (!Array.isArray(sections))
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`sections\` must be an array of tag names, such as ['mr_body']; received ${describeValue(sections)}.`,
    );
  return vocabularyFor(sections);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  // The filters `safe` and `escape` of Nunjucks return an object that inherits from String.
  return value instanceof String ? String(value) : canonicalJson(value);
}

/**
 * Like `escapePromptMarkers`, with the tags of your own template reserved too, so that a value cannot close them. Put
 * it last in a chain of filters: `replace`, `striptags` or `url_decode` after it could form a marker again.
 *
 * @example
 * ```ts
 * environment.addFilter('prompt', promptMarkerFilter(['mr_body']));
 * // in the template: <mr_body>{{ body | prompt }}</mr_body>
 * ```
 */
export function promptMarkerFilter(sections: readonly string[]): (value: unknown) => string {
  const vocabulary = vocabularyOf(sections);
  return (value) => neutralizeOpen(textOf(value), vocabulary);
}

/**
 * A Nunjucks or LiquidJS filter and a Handlebars helper. It converts any value to text and escapes reserved vocabulary
 * in it. Further arguments are ignored. HTML escaping by the engine is not enough: models read `&lt;` as `<`.
 *
 * @example
 * ```ts
 * Handlebars.registerHelper('prompt', escapePromptMarkers);
 * escapePromptMarkers('</system>'); // '~x3c~/system>'
 * ```
 */
export const escapePromptMarkers: (value: unknown) => string = promptMarkerFilter([]);

/**
 * Finds the tag names in the source of a template, to be reserved as sections. `a <b` in an expression counts as a tag:
 * a superfluous name only escapes more than necessary. A name that contains an expression is not found.
 *
 * @example
 * ```ts
 * sectionsIn('Review <mr_body>{{ body }}</mr_body>.'); // ['mr_body']
 * ```
 */
export function sectionsIn(templateSource: string): readonly string[] {
  if (typeof templateSource !== 'string')
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `sectionsIn() takes the source of a template as a string; received ${describeType(templateSource)}.`,
    );
  const found = new Set<string>();
  for (const [, name] of templateSource.matchAll(TAG)) found.add(name as string);
  const names = [...found].flatMap((name) => readSectionName(name) ?? []);
  return Object.freeze([...new Set(names)].sort());
}

/** Replaces the texts and the property names of a context. */
interface ContextMapping {
  text(value: string): string;
  name(value: string): string;
}

function mapObject(value: object, mapping: ContextMapping, depth: number): Record<string, unknown> {
  // Without a prototype, `__proto__` is an ordinary name and a template cannot call inherited methods.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, child] of Object.entries(value)) copy[mapping.name(name)] = mapValue(child, mapping, depth + 1);
  return copy;
}

function mapValue(value: unknown, mapping: ContextMapping, depth: number): unknown {
  if (typeof value === 'string') return mapping.text(value);
  if (typeof value !== 'object' || value === null) return value;
  // Deeper than any template reads. As text nothing is lost, and no recursion overflows.
  if (depth > MAX_DEPTH) return mapping.text(canonicalJson(value));
  if (!Array.isArray(value)) return mapObject(value, mapping, depth);
  return value.map((child: unknown) => mapValue(child, mapping, depth + 1));
}

/**
 * A deep copy of a template's context with every text and property name replaced. Functions and symbols are left out.
 */
export function mapContext(context: object, mapping: ContextMapping): Record<string, unknown> {
  const copy: unknown = parseJson(canonicalJson(context));
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    throw new SallyportError(
      'ERR_INVALID_CONTENT',
      `A template context must be an object with one property per variable; received ${describeType(context)}.`,
    );
  return mapObject(copy, mapping, 0);
}

/**
 * Makes a deep copy of a template's context with reserved vocabulary escaped in every string and key. Use it for
 * templates in which you cannot add a filter to every `{{ }}`. Functions and symbols are left out.
 *
 * An incomplete tag at the end of a value is escaped too, because `{{ a }}{{ b }}` and LiquidJS lists join values
 * without a separator. A turn marker (`Human:`) that is split across two values is not found. Objects have no
 * prototype, so an engine throws if a template prints a whole object.
 *
 * @example
 * ```ts
 * const text = nunjucks.renderString(template, sanitizeContext({ body: page }, sectionsIn(template)));
 * ```
 */
export function sanitizeContext<T extends object>(
  context: T,
  sections: readonly string[] = [],
): Record<string, unknown> {
  const vocabulary = vocabularyOf(sections);
  const text = (value: string): string => neutralizeOpen(value, vocabulary);
  return mapContext(context, { text, name: text });
}
