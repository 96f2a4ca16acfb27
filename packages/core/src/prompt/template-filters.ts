import { canonicalJson } from '../base/canonical-json.ts';
import { SallyportError } from '../base/errors.ts';
import { neutralizeOpen } from '../text/escape-markers.ts';
import { readSectionName, type Vocabulary, vocabularyFor } from '../text/reserved-names.ts';

// What may follow a tag's name: a template writes `<mr_body{% if x %} a="b"{% endif %}>` as well as `<mr_body>`. The
// name cannot hold a `<`, so no stretch is read from two starting points and the search is linear.
const TAG = /<\/?([^\s<>/{}"'=]+)(?=[\s/>{])/g;
const MAX_DEPTH = 100;

/** The vocabulary for a list of sections. A bare string would be spread into its letters, and reserve nothing useful. */
function reserving(sections: readonly string[]): Vocabulary {
  if (!Array.isArray(sections))
    throw new SallyportError('ERR_INVALID_OPTION', "sections is an array of tag names, such as ['mr_body'].");
  return vocabularyFor(sections);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  // Nunjucks hands on what `safe` and `escape` made as an object that inherits from String.
  return value instanceof String ? String(value) : canonicalJson(value);
}

/**
 * The filter of `escapePromptMarkers` with the application's own tags reserved too, which a template needs: its tags are
 * what a value tries to close. Put it last in a chain of filters: `replace`, `striptags` or `url_decode` behind it can
 * make a marker of what was none.
 */
export function promptMarkerFilter(sections: readonly string[]): (value: unknown) => string {
  const vocabulary = reserving(sections);
  return (value) => neutralizeOpen(textOf(value), vocabulary);
}

/**
 * A Nunjucks or LiquidJS filter and a Handlebars helper: any value as text in which reserved vocabulary is inert. What
 * engines pass after the value is ignored. An engine's HTML escaping does not replace it: models read `&lt;` as `<`.
 */
export const escapePromptMarkers: (value: unknown) => string = promptMarkerFilter([]);

/**
 * The tag names in a template's own text, to be reserved as sections. `a <b` in an expression counts as a tag: a name too
 * many escapes a little more than needed, a missing one leaves a hole. A name with an expression in it is not seen.
 */
export function sectionsIn(templateSource: string): readonly string[] {
  if (typeof templateSource !== 'string')
    throw new SallyportError('ERR_INVALID_OPTION', 'sectionsIn() takes the source of a template, as a string.');
  const written = new Set<string>();
  for (const [, name] of templateSource.matchAll(TAG)) written.add(name as string);
  const names = [...written].flatMap((name) => readSectionName(name) ?? []);
  return Object.freeze([...new Set(names)].sort());
}

/** What becomes of each text and each name of a context. */
interface ContextMapping {
  text(value: string): string;
  name(value: string): string;
}

function mapObject(value: object, mapping: ContextMapping, depth: number): Record<string, unknown> {
  // Without a prototype `__proto__` is a name like any other, and a template finds no inherited method to call.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, child] of Object.entries(value)) copy[mapping.name(name)] = mapValue(child, mapping, depth + 1);
  return copy;
}

function mapValue(value: unknown, mapping: ContextMapping, depth: number): unknown {
  if (typeof value === 'string') return mapping.text(value);
  if (typeof value !== 'object' || value === null) return value;
  // Deeper than any template reads. As text it is still all there, and nobody's recursion overflows on it.
  if (depth > MAX_DEPTH) return mapping.text(canonicalJson(value));
  if (!Array.isArray(value)) return mapObject(value, mapping, depth);
  return value.map((child: unknown) => mapValue(child, mapping, depth + 1));
}

/** A deep copy of a template's context with every text and name replaced. Functions and symbols are dropped. */
export function mapContext(context: object, mapping: ContextMapping): Record<string, unknown> {
  const copy: unknown = JSON.parse(canonicalJson(context));
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    throw new SallyportError('ERR_INVALID_CONTENT', 'A template context is an object with one property per variable.');
  return mapObject(copy, mapping, 0);
}

/**
 * A deep copy of a template's context with every string and key made inert, for templates whose every `{{ }}` cannot be
 * edited. Functions and symbols are dropped. A tag that is only begun at the end of a value is escaped too: LiquidJS
 * joins lists without a separator, and `{{ a }}{{ b }}` is common. A turn (`Human` and `:`) across values is not seen. Objects have no prototype: a template that prints one whole
 * makes its engine throw.
 */
export function sanitizeContext<T extends object>(
  context: T,
  sections: readonly string[] = [],
): Record<string, unknown> {
  const vocabulary = reserving(sections);
  const text = (value: string): string => neutralizeOpen(value, vocabulary);
  return mapContext(context, { text, name: text });
}
