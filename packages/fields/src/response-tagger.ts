import { parseJson, readJson, within } from '@sallyport/core/json';
import { responseTags, type TagRules } from './response-tags.ts';

/** A request that your application answers. */
export interface ServedRequest {
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
}

/** The body of a response that your application made. */
export interface ServedBody {
  readonly body: string;
  /** The header `content-encoding`. A body that is compressed already cannot be tagged. @default none */
  readonly encoding?: unknown;
}

/** Tags the body of one response. */
export type TagBody = (request: ServedRequest, response: ServedBody) => TaggedBody;

/** A response that was tagged. */
export interface TaggedResponse extends ServedRequest {
  /** How many texts and names were tagged. */
  readonly count: number;
}

/** Options of `tagResponses` and of `responseTagger`. */
export interface TagResponsesOptions extends TagRules {
  /**
   * What others wrote: JSON pointers, such as `/contacts/0/name`, for all responses, or a function that returns those of one. The
   * segment `*` means every item of a list, and every name of a table. With an empty list the response stays as it is.
   * @default every text and name, except ids and times by name and form
   */
  readonly fields?: readonly string[] | ((request: ServedRequest) => readonly string[] | undefined);
  /** Called with every response that was tagged. @default nothing */
  readonly onTagged?: (response: TaggedResponse) => void;
}

/** A body to send. If it could not be tagged, it is an error in place of the response. */
export type TaggedBody = { readonly type: 'tagged' | 'failed'; readonly body: string };

const FAILED: TaggedBody = Object.freeze({
  type: 'failed',
  body: '{"error":"The response could not be tagged, so it was not sent."}',
});

// Every number of at most this many characters is exact in JavaScript.
const MAX_EXACT_LENGTH = 15;

/** Whether JavaScript would round a number of the text, such as an id of 64 bits. */
function isRounded(text: string): boolean {
  for (const { type, start, end } of within(readJson(text).root))
    if (type === 'other' && end - start > MAX_EXACT_LENGTH) {
      const written = text.slice(start, end);
      if (String(Number(written)) !== written) return true;
    }
  return false;
}

/** The value of a body, or the body itself as a text where a value would say something else. */
function readBody(body: string): unknown {
  try {
    const value = parseJson(body);
    return isRounded(body) ? body : value;
  } catch {
    // Not JSON, whatever the content type says. It is tagged as one text.
    return body;
  }
}

/**
 * Whether a content type is JSON: `application/json`, and every type that ends in `+json`.
 *
 * @example
 * ```ts
 * isJson('application/problem+json; charset=utf-8'); // true
 * ```
 */
export function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^\s*[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/**
 * Makes the function that tags the JSON bodies of an application, for a framework that has no adapter here. Each body gets a code
 * of its own.
 *
 * @example
 * ```ts
 * const tag = responseTagger({ fields: ['/title', '/body'] });
 * const { type, body } = tag({ method: 'GET', path: '/tickets/1' }, { body: JSON.stringify(ticket) });
 * ```
 */
export function responseTagger(options: TagResponsesOptions = {}): TagBody {
  const { fields, onTagged, ...rules } = options;
  const nextResponse = responseTags(rules);
  if (typeof fields === 'object') nextResponse()(null, { fields });
  return (request, { body, encoding = 'identity' }) => {
    try {
      const pointers = typeof fields === 'function' ? fields(request) : fields;
      if (body === '' || pointers?.length === 0) return { type: 'tagged', body };
      if (encoding !== 'identity') return FAILED;
      const value = readBody(body);
      const hasFields = pointers !== undefined && typeof value === 'object';
      const tagged = nextResponse()(value, hasFields ? { fields: pointers } : {});
      if (tagged.type === 'withheld') return FAILED;
      onTagged?.({ ...request, count: tagged.count });
      return { type: 'tagged', body: JSON.stringify(tagged.value) };
    } catch {
      // Nothing leaves untagged. The cause may hold the content, so it is not sent.
      return FAILED;
    }
  };
}

const CLAIMED = new WeakSet<object>();

/** Whether this is the first tagger of a request: where two are mounted, the outer one tags. */
export function claim(request: object): boolean {
  if (CLAIMED.has(request)) return false;
  CLAIMED.add(request);
  return true;
}
