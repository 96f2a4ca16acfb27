// Replays a recorded conversation through the boundary: every result is added, every call is checked, no model is asked.
import { parsePrinted } from './literal.mjs';
import { bare } from './wordings.mjs';

/** @typedef {import('./traces.mjs').Trace} Trace */

/**
 * @typedef {object} CheckedCall
 * @property {string} tool
 * @property {Record<string, unknown>} args
 * @property {import('@sallyport/core').Decision} decision
 */

/** The call that a result answers: by its id if the provider gives one, else the next call of that tool. */
function takeCall(pending, { callId, tool }) {
  const at = pending.findIndex((call) => (callId ? call.given === callId : call.tool === tool));
  return at < 0 ? undefined : pending.splice(at, 1)[0];
}

/** The structure that a tool printed; the re-wording changes the printed text, as an attacker would. */
function contentOf({ text, error }, wording) {
  const printed = text || error || '';
  const worded = wording === 'bare' ? bare(printed) : printed;
  return parsePrinted(worded) ?? worded;
}

/**
 * @param {Trace} trace
 * @param {{ boundary: import('@sallyport/core').Boundary, source: typeof import('@sallyport/core').source }} with
 * @param {string} wording
 * @param {(call: { tool: string, args: Record<string, unknown> }) => boolean} approves whether the person who is asked says yes
 * @returns {Promise<CheckedCall[]>}
 */
export async function replay(trace, { boundary, source }, wording, approves = () => false) {
  const conversation = boundary.conversation(trace.id);
  const checked = [];
  let pending = [];
  for (const [index, message] of trace.messages.entries()) {
    const id = `message-${index}`;
    if (message.role === 'system' || message.role === 'user')
      conversation.addContent({ id, source: source(message.role), content: message.text ?? '' });
    else if (message.role === 'tool')
      conversation.addToolResult({
        id: takeCall(pending, message)?.id ?? id,
        tool: message.tool,
        content: contentOf(message, wording),
      });
    else {
      await conversation.request();
      pending = (message.calls ?? []).map((call, place) => ({ ...call, given: call.id, id: `${id}-${place}` }));
      // All calls of a turn are recorded before any is checked: the model chose them together.
      const calls = pending.map(({ id: callId, tool, args }) =>
        conversation.recordCall({ id: callId, tool, arguments: args ?? {} }),
      );
      for (const [place, call] of calls.entries()) {
        const { tool, args } = pending[place];
        const checkedCall = { tool, args: args ?? {}, decision: await conversation.check(call) };
        checked.push(checkedCall);
        if (checkedCall.decision.outcome === 'ask' && approves(checkedCall)) {
          await conversation.approve(checkedCall.decision, { by: 'user' });
          await conversation.check(call);
        }
      }
    }
  }
  return checked;
}
