import {
  type Json,
  listOf,
  type ProvidedTool,
  piecesOf,
  type Reply,
  type ScriptedCall,
  type ShownResult,
  sendEvents,
  sendJson,
  type Wire,
} from './wire.ts';

const HEAD = { modelVersion: 'scripted', responseId: 'response-1' };
const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

/** The parts of code that the provider ran. Search results are in the grounding instead. */
function providedParts({ type, input, output }: ProvidedTool): readonly Json[] {
  if (type === 'search') return [];
  return [
    { executableCode: { language: 'PYTHON', code: input } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output } },
  ];
}

/** The grounding: the results of a search. */
function groundingOf({ provided }: Reply): Json {
  const searches = provided.filter(({ type }) => type === 'search');
  if (searches.length === 0) return {};
  const groundingChunks = searches.map(({ input: title, output: uri }) => ({ web: { uri, title } }));
  return { groundingMetadata: { webSearchQueries: searches.map(({ input }) => input), groundingChunks } };
}

function partsOf({ provided, calls, text }: Reply, hasIds: boolean): readonly Json[] {
  const functionCall = ({ id, name, arguments: args }: ScriptedCall): Json => ({
    ...(hasIds ? { id } : {}),
    name,
    args,
  });
  return [
    ...provided.flatMap(providedParts),
    ...(text === '' ? [] : [{ text }]),
    ...calls.map((call) => ({ functionCall: functionCall(call) })),
  ];
}

function chunkOf(parts: readonly Json[], isLast: boolean, about: Json = {}): Json {
  const finish = isLast ? { finishReason: 'STOP', ...about } : {};
  const candidates = [{ index: 0, content: { role: 'model', parts }, ...finish }];
  return { ...HEAD, candidates, ...(isLast ? { usageMetadata: USAGE } : {}) };
}

/** A reply of the Interactions API, whose state the provider stores. */
function interactionOf({ calls, text }: Reply): Json {
  const steps =
    calls.length === 0
      ? [{ type: 'model_output', content: [{ type: 'text', text }] }]
      : calls.map(({ id, name, arguments: given }) => ({ type: 'function_call', id, name, arguments: given }));
  const status = calls.length === 0 ? 'completed' : 'requires_action';
  return { id: `interaction-${calls[0]?.id ?? 'end'}`, object: 'interaction', model: 'scripted', status, steps };
}

function isInteraction(body: Json): boolean {
  return 'input' in body;
}

function textsOf(said: unknown): readonly string[] {
  if (Array.isArray(said)) return said.flatMap(textsOf);
  if (typeof said === 'string') return [said];
  return [JSON.stringify(said)];
}

/** A response is an object in this format: with an output, with an error, or with the tool's own members. */
function shownResponse({ id, response, parts }: Json): ShownResult {
  const { output, error } = (response ?? {}) as Json;
  return { id: String(id ?? ''), texts: textsOf(output ?? error ?? response), media: listOf(parts).length };
}

function shownStep({ call_id: id, result }: Json): ShownResult {
  const parts = Array.isArray(result) ? listOf(result) : [{ type: 'text', text: result }];
  const texts = parts.flatMap(({ type, text }) => (type === 'text' ? textsOf(text) : []));
  return { id: String(id), texts, media: parts.length - texts.length };
}

function wireOf(hasIds: boolean): Wire {
  return {
    overloaded: 503,
    matches: (path) => /:(?:generateContent|streamGenerateContent)$|\/interactions$/.test(path),
    isStream: (path) => path.includes(':streamGenerateContent'),
    reply: (response, reply, body) =>
      sendJson(
        response,
        isInteraction(body) ? interactionOf(reply) : chunkOf(partsOf(reply, hasIds), true, groundingOf(reply)),
      ),
    // One chunk for each part or piece of text, so that the calls of one turn are in several messages of the history.
    stream(response, reply) {
      const texts = piecesOf(reply.text).map((text) => ({ text }));
      const ran = reply.provided.flatMap(providedParts);
      const parts = [...ran, ...texts, ...partsOf({ ...reply, provided: [], text: '' }, hasIds)];
      const chunks = parts.map((part, index) => chunkOf([part], index === parts.length - 1, groundingOf(reply)));
      const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`);
      return sendEvents(response, events, { pause: reply.pause, piece: /"parts":\[\{"text":/ });
    },
    resultsIn: (body) =>
      isInteraction(body)
        ? listOf(body.input)
            .filter(({ type }) => type === 'function_result')
            .map(shownStep)
        : listOf(body.contents)
            .flatMap(({ parts }) => listOf(parts))
            .flatMap(({ functionResponse }) => (functionResponse ? [shownResponse(functionResponse as Json)] : [])),
    systemIn: (body) =>
      typeof body.system_instruction === 'string'
        ? body.system_instruction
        : listOf((body.systemInstruction as Json | undefined)?.parts)
            .map(({ text }) => String(text))
            .join('\n'),
    messagesIn: (body) =>
      listOf(isInteraction(body) ? body.input : body.contents).map((message) => JSON.stringify(message)),
  };
}

/** Gemini, with the ids that newer models give to calls. */
export const gemini: Wire = wireOf(true);
/** The same for older models and some proxies: only name and order relate a result to its call. */
export const geminiWithoutIds: Wire = wireOf(false);
