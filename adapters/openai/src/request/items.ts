import type { Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf, stringOf } from '@sallyport/core/adapter';
import { idOf } from '../id.ts';
import { useOfItem } from '../use.ts';
import { modelTurns, spokenTurns, UNSEEN, unknownSlot } from './message.ts';
import { contentOf, framedOutput } from './part.ts';
import { kept, replaced, type Slot } from './slot.ts';
import { foundTools, type Structured, screenshot, shellOutput } from './structured.ts';

/** Items that contain only the model's own words and pictures, or those of your program. */
const OWN: ReadonlySet<unknown> = new Set([
  'reasoning',
  'image_generation_call',
  'compaction_trigger',
  'configuration_update',
  'mcp_approval_response',
]);

/** Results by their type: the tool, if the type implies it, and the member that contains the output. */
const RESULTS: ReadonlyMap<unknown, { readonly tool?: string; readonly member: string }> = new Map([
  ['function_call_output', { member: 'output' }],
  ['custom_tool_call_output', { member: 'output' }],
  ['local_shell_call_output', { tool: 'local_shell', member: 'output' }],
  ['apply_patch_call_output', { tool: 'apply_patch', member: 'output' }],
  ['program_output', { tool: 'program', member: 'result' }],
]);

/** Results whose structure the API requires. */
const STRUCTURED: ReadonlyMap<unknown, { tool: string; member: string; read: (output: unknown) => Structured }> =
  new Map([
    ['shell_call_output', { tool: 'shell', member: 'output', read: shellOutput }],
    ['computer_call_output', { tool: 'computer', member: 'output', read: screenshot }],
    ['tool_search_output', { tool: 'tool_search', member: 'tools', read: foundTools }],
  ]);

/** Items of tools that the provider ran, and how to find what the model read. They are sent back by id, so they stay unchanged. */
const PROVIDED: ReadonlyMap<unknown, (item: Fields) => unknown> = new Map([
  ['mcp_call', ({ output, error }: Fields) => output ?? error],
  ['mcp_list_tools', ({ tools, error }: Fields) => tools ?? error],
  ['web_search_call', ({ action }: Fields) => fieldsOf(action).sources],
  ['file_search_call', ({ results }: Fields) => results],
  ['code_interpreter_call', ({ outputs }: Fields) => outputs],
]);

/** Recognizes the result of a provider's tool in an answer: an application puts no results into answers. */
export function isProvided(item: Fields): boolean {
  return PROVIDED.has(item.type) || RESULTS.has(item.type) || STRUCTURED.has(item.type);
}

const RUN_BY_PROVIDER = /^(?:web_search|file_search$|code_interpreter$|mcp$)/;

/** A shell runs at the provider unless its environment is local. */
function isProviderTool({ type, environment }: Fields): boolean {
  const place = fieldsOf(environment).type;
  return RUN_BY_PROVIDER.test(String(type)) || (type === 'shell' && place !== undefined && place !== 'local');
}

/** Looks for a provider's own tool. The model may read its results, and act on them, before any request has them. */
export function isOffered(tools: unknown): boolean {
  return listOf(tools).some((tool) => isFields(tool) && isProviderTool(tool));
}

/** A summary encrypted by the provider, or an item that it stores under an id: only the model can read it. */
function isUnreadable({ type, id, encrypted_content: sealed }: Fields): boolean {
  if (type === 'compaction') return typeof sealed === 'string';
  return (type ?? 'item_reference') === 'item_reference' && typeof id === 'string';
}

/** Reads items in order: a result names its call, and only the call names the tool. */
class Reader {
  readonly #tools = new Map<string, string>();

  read(item: unknown): Slot {
    if (!isFields(item)) return unknownSlot(item);
    if (item.role !== undefined && (item.type ?? 'message') === 'message') return this.#message(item);
    const outputOf = PROVIDED.get(item.type);
    if (outputOf !== undefined) return kept(item, this.#provided(item, outputOf(item)));
    if (RESULTS.has(item.type) || STRUCTURED.has(item.type)) return this.#result(item);
    return this.#control(item);
  }

  #message(item: Fields): Slot {
    switch (item.role) {
      case 'system':
      case 'developer':
        return kept(item, spokenTurns('policy', item.content));
      case 'user':
        return kept(item, spokenTurns('user', item.content));
      case 'assistant':
        return kept(item, modelTurns(item.content));
      default:
        return unknownSlot(item);
    }
  }

  #control(item: Fields): Slot {
    if (OWN.has(item.type)) return kept(item);
    const use = useOfItem(item);
    if (use !== undefined) {
      this.#tools.set(use.id, use.tool);
      return kept(item, [{ type: 'call', ...use }]);
    }
    if (item.type === 'additional_tools') return kept(item, isOffered(item.tools) ? [UNSEEN] : []);
    return isUnreadable(item) ? kept(item, [UNSEEN]) : unknownSlot(item);
  }

  #provided(item: Fields, output: unknown): readonly Turn[] {
    const use = useOfItem(item);
    const id = use?.id ?? idOf(item.id, item);
    const result: Turn = { type: 'result', id, tool: use?.tool, content: contentOf(output) };
    return use === undefined ? [result] : [{ type: 'call', ...use }, result];
  }

  #result(item: Fields): Slot {
    const id = idOf(item.call_id ?? item.id, item);
    const structured = STRUCTURED.get(item.type);
    if (structured !== undefined) {
      const { tool, member, read } = structured;
      const { content, show } = read(item[member]);
      // The result of a search that the provider ran has to be sent back unchanged.
      if (item.execution === 'server') return kept(item, [{ type: 'result', id, tool, content }]);
      return replaced(item, { type: 'result', id, tool, content }, (framed) => ({ ...item, [member]: show(framed) }));
    }
    const { tool = this.#tools.get(id) ?? stringOf(item.name), member = 'output' } = RESULTS.get(item.type) ?? {};
    const output = item[member];
    if (output === undefined || output === null) return kept(item);
    const turn: Turn = { type: 'result', id, tool, content: contentOf(output) };
    return replaced(item, turn, (framed) => ({ ...item, [member]: framedOutput(output, framed, 'input_text') }));
  }
}

/** The slots of a list of items. */
export function slotsOf(items: readonly unknown[]): readonly Slot[] {
  const reader = new Reader();
  return items.map((item) => reader.read(item));
}
