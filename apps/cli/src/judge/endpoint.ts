import { fieldsOf, finishedText, type GenerateRequest, platformSignal } from '@sallyport/core/adapter';
import { isLoopback } from '../address.ts';
import { CommandError, printable } from '../terminal-text.ts';
import { type Answer, type AskModel, answerWith, countIn, JudgeError } from './answer.ts';
import type { EndpointSetUp, Format } from './set-up.ts';

const MAX_BYTES = 256 * 1024;
const MAX_TOKENS = 1000;

/** The address of an endpoint. Plain http is for this machine only: the question holds what the user wrote. */
export function endpointUrl(text: string): URL {
  if (!URL.canParse(text))
    throw new CommandError(
      `not a valid URL: ${printable(text, 60)}`,
      'give an address such as https://api.openai.com/v1',
      2,
    );
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new CommandError(
      'the endpoint contains a user, a password, a query or a fragment.',
      'give the address alone, and the key with --key-from prompt',
      2,
    );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    throw new CommandError(
      `${url.protocol}//${url.host} is not encrypted.`,
      'use https; plain http works for an endpoint on this machine only.',
      2,
    );
  return url;
}

/** How a format asks and answers. */
interface Wire {
  path(base: string): string;
  headers(key: string | undefined): Record<string, string>;
  body(model: string, request: GenerateRequest): Readonly<Record<string, unknown>>;
  /** What an endpoint or model may refuse, and works without. */
  readonly extras: (request: GenerateRequest) => Readonly<Record<string, unknown>>;
  read(body: Readonly<Record<string, unknown>>): Answer;
}

const OPENAI: Wire = {
  path: (base) => `${base}/chat/completions`,
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: (model, { system, content }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
  }),
  extras: ({ schema }) => ({
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
  }),
  read: ({ choices, usage }) => {
    const { message, finish_reason: reason } = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
    const { content, refusal } = fieldsOf(message);
    const { prompt_tokens: input, completion_tokens: output } = fieldsOf(usage);
    return answerWith(finishedText(content, reason === 'stop' && !refusal), countIn(input), countIn(output));
  },
};

const ANTHROPIC: Wire = {
  path: (base) => `${base.endsWith('/v1') ? base : `${base}/v1`}/messages`,
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  body: (model, { system, content }) => ({
    model,
    max_tokens: MAX_TOKENS,
    system,
    messages: [{ role: 'user', content }],
  }),
  extras: ({ schema }) => ({ temperature: 0, output_config: { format: { type: 'json_schema', schema } } }),
  read: ({ content, stop_reason: reason, usage }) => {
    const blocks = (Array.isArray(content) ? content : []).map(fieldsOf).filter(({ type }) => type === 'text');
    const { input_tokens: input, output_tokens: output } = fieldsOf(usage);
    const text = blocks.map(({ text: each }) => each).join('');
    return answerWith(finishedText(text, reason === 'end_turn'), countIn(input), countIn(output));
  },
};

const WIRES: Readonly<Record<Format, Wire>> = { openai: OPENAI, anthropic: ANTHROPIC };

const RETRY = 'try again: sallyport judge test';
const SET_KEY = 'set it up again with another key: sallyport judge set ... --key-from prompt';

/** What a refusal means, and what to do about it. */
function refusal(status: number): JudgeError {
  const said = (what: string, next: string): JudgeError => new JudgeError(`the endpoint ${what} (${status}).`, next);
  if (status === 401 || status === 403) return said('refuses the key', SET_KEY);
  if (status === 404) return said('does not know the address or the model', 'check --endpoint and --model.');
  if (status === 402 || status === 429) return said('allows no more requests now', 'check your plan, or wait.');
  if (status >= 300 && status < 400) return said('leads to another address', 'give the final address to --endpoint.');
  if (status >= 500) return said('has a problem of its own', RETRY);
  return said('refuses the request', 'check --endpoint, --model and --format.');
}

async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new JudgeError('the answer of the endpoint is too long.', 'use another model.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const WITHOUT_EXTRAS: ReadonlySet<number> = new Set([400, 415, 422, 501]);

/** A failure of fetch is not passed on: it may name headers. */
async function reached<T>(url: URL, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof JudgeError) throw cause;
    if (signal.aborted) throw signal.reason;
    throw new JudgeError(`${url.host} cannot be reached.`, 'check --endpoint and that the server runs.');
  }
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    throw new JudgeError('the endpoint does not answer with JSON.', 'check --endpoint and --format.');
  }
}

/** Asks a model at an endpoint. `key` is called for each question. */
export function endpointModel(setUp: EndpointSetUp, key: () => Promise<string | undefined>): AskModel {
  const { model, format } = setUp;
  const wire = WIRES[format];
  const url = endpointUrl(setUp.endpoint);
  url.pathname = wire.path(url.pathname.replace(/\/+$/, ''));
  let isPlain = false;
  return async (request) => {
    const signal = platformSignal<AbortSignal>(request.signal ?? new AbortController().signal);
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...wire.headers(await key()) };
    const body = wire.body(model, request);
    const send = (given: object): Promise<Response> =>
      reached(url, signal, () =>
        fetch(url, { method: 'POST', redirect: 'manual', headers, body: JSON.stringify(given), signal }),
      );
    let response = await send(isPlain ? body : { ...body, ...wire.extras(request) });
    if (!isPlain && WITHOUT_EXTRAS.has(response.status)) {
      await response.body?.cancel();
      response = await send(body);
      isPlain = response.ok;
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refusal(response.status);
    }
    return wire.read(readJson(await reached(url, signal, () => limitedText(response))));
  };
}
