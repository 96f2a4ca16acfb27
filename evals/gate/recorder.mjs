// Replaces the package `sallyport` while a script is recorded: it allows every call, and keeps what the script said, called
// and answered. The scripts were written for an earlier API, whose names these are.
import { inRecords } from '../replay/tools.mjs';

/**
 * @typedef {{ type: 'user' | 'policy', text: string }
 *   | { type: 'call', id: string, tool: string, arguments: Record<string, unknown> }
 *   | { type: 'result', id: string, tool: string, content: unknown }} Step
 *
 * @typedef {object} Recording
 * @property {string} id
 * @property {string} preset
 * @property {readonly import('@sallyport/core').ToolDefinition[]} tools
 * @property {Step[]} steps
 */

/** @type {Recording[]} */
export const recordings = [];

export const dangerouslyTrust = Symbol('dangerouslyTrust');
export const prompt = Object.assign((pieces) => pieces.join(''), { [dangerouslyTrust]: (text) => text });
export const source = (origin) => ({ origin });
export const findSpans = () => [];

/** Effects that the earlier API did not have, by the names of the tools. */
const EFFECTS = {
  fetch_url: 'fetch',
  http_request: 'fetch',
  add_collaborator: 'configure',
  create_forwarding_rule: 'configure',
};

export function defineTool({ free: modelText, fields: serviceFields, ...tool }) {
  return {
    ...tool,
    effect: EFFECTS[tool.name] ?? tool.effect,
    ...(modelText && { modelText }),
    ...(serviceFields && { serviceFields: inRecords(serviceFields) }),
  };
}

const ALLOWED = { outcome: 'allow', rule: '', reason: '', result: '', evidence: [] };

class RecordedConversation {
  #steps;
  #policy;

  constructor(steps) {
    this.#steps = steps;
  }

  admit({ id, tool, content, source: from }) {
    this.#steps.push(
      tool === undefined ? { type: from?.origin ?? 'user', text: content } : { type: 'result', id, tool, content },
    );
    return { id };
  }

  async request({ policy } = {}) {
    if (policy !== undefined && policy !== this.#policy) this.#steps.unshift({ type: 'policy', text: policy });
    this.#policy = policy;
    return { system: policy, entries: [] };
  }

  propose({ id, tool, arguments: given }) {
    this.#steps.push({ type: 'call', id, tool, arguments: given });
    return { id, tool, arguments: given };
  }

  judge() {
    return ALLOWED;
  }

  trace() {
    return [];
  }

  async frame() {
    return { text: '' };
  }
}

export function createBoundary({ tools, gate: { preset } = {} }) {
  return {
    conversation(id) {
      const steps = [];
      recordings.push({ id, preset, tools, steps });
      return new RecordedConversation(steps);
    },
  };
}
