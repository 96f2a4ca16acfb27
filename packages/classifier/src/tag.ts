/**
 * The tags that the model tells apart. `obfuscated` and `request` are not among them: they come from the decoded view
 * of the text and from the request rules.
 *
 * @example
 * ```ts
 * const thresholds = Object.fromEntries(TAGS.map((tag) => [tag, 'medium']));
 * ```
 */
export const TAGS = [
  'imperative',
  'exfiltration',
  'role-override',
  'system-prompt-shaped',
  'tool-invocation-shaped',
  'concealment',
  'answer-steering',
] as const;

/**
 * The kind of a span. `request` is an ordinary request, which is not suspicious by itself.
 *
 * @example
 * ```ts
 * const isSuspicious = (tag: Tag): boolean => tag !== 'request';
 * ```
 */
export type Tag = (typeof TAGS)[number] | 'obfuscated' | 'request';
