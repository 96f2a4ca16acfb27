import { deriveKey } from '@sallyport/core/stages';
import { type TagFieldsOptions, type TaggedFields, tagFields } from './tag-fields.ts';

/** What is the same for all responses of a server. */
export type TagRules = Pick<TagFieldsOptions, 'knownKeys' | 'systemKeys' | 'sections' | 'maxDepth' | 'maxBytes'>;

/** What can differ between the values of a response. */
export type TagChoice = Pick<TagFieldsOptions, 'fields' | 'schema' | 'mode'>;

/** Tags the values of one response, all with the same code. */
export type TagValue = (value: unknown, choice: TagChoice) => TaggedFields;

/**
 * Tags the responses of a server: each call of the result begins one. The key is random and never leaves the process: who has read
 * a response must not know the codes of the next one, also after a restart.
 *
 * @example
 * ```ts
 * const nextResponse = responseTags({ knownKeys: ['title'] });
 * const tag = nextResponse();
 * const tagged = tag(ticket, { fields: ['/title'] });
 * ```
 */
export function responseTags(rules: TagRules = {}): () => TagValue {
  const key = deriveKey(crypto.getRandomValues(new Uint8Array(32)), 'responses');
  let count = 0;
  const nextResponse = (): TagValue => {
    const id = String(++count);
    return (value, choice) => tagFields(value, { ...rules, ...choice, key, id });
  };
  // An option that is not valid is refused now, not with the first response.
  nextResponse()(null, {});
  return nextResponse;
}
