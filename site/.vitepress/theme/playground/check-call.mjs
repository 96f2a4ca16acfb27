// The playground's use of the library: one conversation with the user's request, one tool result and one call.
import { findSpans } from '@sallyport/classifier';
import { createBoundary, defineTool } from 'sallyport';

const READ = { id: 'call-1', tool: 'read_content' };

/** The content as one or more pieces of text; those in a span of the classifier have it. Spans may overlap: the first one counts. */
function piecesOf(content, spans) {
  const pieces = [];
  let end = 0;
  for (const span of spans) {
    if (span.end <= end) continue;
    const start = Math.max(span.start, end);
    if (start > end) pieces.push({ text: content.slice(end, start) });
    pieces.push({ text: content.slice(start, span.end), span });
    end = span.end;
  }
  if (end < content.length) pieces.push({ text: content.slice(end) });
  return pieces;
}

/** Where the words of a value occur in the content, with some text around the first occurrence. */
function foundIn(content, provenance, recordId) {
  const places = provenance.pieces
    .flatMap(({ occurrences }) => occurrences)
    .filter((each) => each.recordId === recordId);
  if (places.length === 0) return undefined;
  const { start, end } = places.reduce((one, other) => (other.start < one.start ? other : one));
  const from = Math.max(0, start - 30);
  return {
    before: `${from > 0 ? '\u2026' : ''}${content.slice(from, start)}`,
    match: content.slice(start, end),
    after: `${content.slice(end, end + 30)}${end + 30 < content.length ? '\u2026' : ''}`,
  };
}

/** Whose words a value is, for a person. */
export const SUPPLIERS = {
  vouched: 'your request',
  own: 'the model: it occurs nowhere',
  open: 'the content',
  requested: 'a request in the content',
  suspect: 'content that may be an instruction to the model',
  flagged: 'an instruction to the model, in the content',
};

function readArguments(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The arguments are not valid JSON: ${error.message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The arguments must be a JSON object, such as { "to": "ann@example.com" }.');
  return value;
}

/**
 * What the boundary finds in the content, and what it decides about the call.
 * @param {{ content: string, request: string, tool: string, effect: string, args: string, preset: string }} input
 */
export async function checkCall({ content, request, tool, effect, args, preset }) {
  const input = readArguments(args);
  if (tool === READ.tool)
    throw new Error(`The tool must not be named ${READ.tool}: the playground reads the content with it.`);
  const boundary = createBoundary({
    tools: [
      defineTool({ name: READ.tool, origin: 'external', effect: 'read' }),
      defineTool({ name: tool, origin: 'workspace', effect }),
    ],
    gate: { preset },
  });
  const conversation = boundary.conversation('playground');
  conversation.addUserMessage(request);
  await conversation.request();
  await conversation.check({ ...READ, arguments: {} });
  const record = conversation.addToolResult({ ...READ, content });
  const shown = await conversation.frame(record);
  const decision = await conversation.check({ id: 'call-2', tool, arguments: input });
  return {
    pieces: piecesOf(content, await findSpans(content)),
    frame: shown.text,
    outcome: decision.outcome,
    reason: decision.reason,
    rule: decision.rule,
    cell: decision.cell,
    effect: decision.effect,
    values: decision.arguments.map(({ path, text, role, provenance }) => ({
      path,
      text,
      role,
      trust: provenance.trust,
      supplier: SUPPLIERS[provenance.trust],
      found: provenance.trust === 'vouched' ? undefined : foundIn(content, provenance, record.id),
    })),
  };
}
