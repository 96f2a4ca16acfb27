import type { ModelRequest } from '@openai/agents';
import { type Conversation, SallyportError } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { toolName } from '../turns/turns.ts';

/**
 * The schemas of guarded tools and handoffs. A guarded one has a copy of its own, which the SDK passes on in every request: it
 * tells a guarded tool from the one that was given, although both have the same name.
 */
const schemas = new WeakMap<object, Conversation>();

/** A copy of a schema, for a guarded tool. */
export function guardedSchema(conversation: Conversation, schema: object | undefined): object {
  const copy = { ...schema };
  schemas.set(copy, conversation);
  return copy;
}

/** The tools of a conversation that have no schema: a shell, an editor, a computer, a search. */
class Actors {
  readonly guarded = new Set<string>();
  readonly checked = new Set<string>();
  /** The tools of calls in the answers of the model, by the ids of the calls. */
  readonly called = new Map<string, string>();
  /** The ids of calls that reached their tools. */
  readonly reached = new Set<string>();
}

const actors = new WeakMap<Conversation, Actors>();

function actorsOf(conversation: Conversation): Actors {
  const known = actors.get(conversation) ?? new Actors();
  actors.set(conversation, known);
  return known;
}

/** Records that a tool without a schema is guarded. */
export function recordGuarded(conversation: Conversation, name: string): void {
  actorsOf(conversation).guarded.add(name);
}

/** Records that calls of a tool reach the gate. */
export function recordChecked(conversation: Conversation, name: string): void {
  actorsOf(conversation).checked.add(name);
}

/** Records that a call reached its tool, which made it or refused it. */
export function recordReached(conversation: Conversation, id: string): void {
  actorsOf(conversation).reached.add(id);
}

/** The client's tool search, which adds tools that no request has offered. */
export const SEARCH = 'tool_search';

export function isSearch(tool: object): boolean {
  const { type, providerData } = tool as Fields;
  return type === 'hosted_tool' && fieldsOf(providerData).type === SEARCH;
}

/** Tools that act on this machine, by the type of their calls. */
const ACTORS: ReadonlyMap<unknown, string> = new Map([
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
]);
const ACTED = new Set<unknown>(['shell_call_output', 'apply_patch_call_output', 'computer_call_result']);

/** Recognizes a tool that runs on this machine. The provider may run a shell of its own. */
function isLocal({ type, environment }: Fields): boolean {
  return type !== 'shell' || !isFields(environment) || environment.type === 'local';
}

/** The name of a tool whose calls would run on this machine without a check. */
function unguardedName(conversation: Conversation, tool: Fields): string | undefined {
  const { type, name, namespace, parameters } = tool;
  if (type === 'function')
    return isFields(parameters) && schemas.get(parameters) === conversation
      ? undefined
      : toolName(String(name), namespace);
  const own = isSearch(tool) ? SEARCH : [...ACTORS.values()].find((each) => each === type && isLocal(tool));
  return own === undefined || actorsOf(conversation).guarded.has(own) ? undefined : own;
}

/** A handoff without values cannot pass anything on. */
function isUnguardedHandoff(conversation: Conversation, { inputJsonSchema: schema }: Fields): boolean {
  const { properties } = fieldsOf(schema);
  return Object.keys(fieldsOf(properties)).length > 0 && schemas.get(fieldsOf(schema)) !== conversation;
}

function refuse(message: string): never {
  throw new SallyportError('ERR_STAGE_SKIPPED', message);
}

// A picture is the model's own, and the others find or run only tools of yours.
const NOT_PROVIDED: ReadonlySet<unknown> = new Set(['image_generation', SEARCH, 'programmatic_tool_calling']);

/** Recognizes a provider's own tool. The model may read what it finds although no answer contains it. */
export function isProvided(tool: object): boolean {
  const { type, providerData } = tool as Fields;
  if (type === 'shell') return !isLocal(tool as Fields);
  return type === 'hosted_tool' && !NOT_PROVIDED.has(fieldsOf(providerData).type);
}

/** Refuses a request that offers the model a tool or a handoff that was not protected: its calls would run without a check. */
export function checkOffered(conversation: Conversation, request: Partial<ModelRequest>): void {
  for (const tool of listOf(request.tools).filter(isFields)) {
    const name = unguardedName(conversation, tool);
    if (name !== undefined)
      refuse(
        `The tool ${name} is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns.`,
      );
  }
  for (const handoff of listOf(request.handoffs).filter(isFields))
    if (isUnguardedHandoff(conversation, handoff))
      refuse(
        `The handoff ${String(handoff.toolName)} passes values on, but it is not protected. Pass it to protect() as one of \`handoffs\`, and use the one that it returns.`,
      );
}

/** Records the calls of a shell, an editor or a computer in an answer. */
export function recordActions(conversation: Conversation, output: unknown): void {
  const { guarded, called } = actorsOf(conversation);
  for (const { type, callId } of listOf(output).filter(isFields)) {
    const name = ACTORS.get(type);
    if (name !== undefined && guarded.has(name)) called.set(String(callId), name);
    // The provider made this call itself.
    if (ACTED.has(type)) called.delete(String(callId));
  }
}

function isResult(item: unknown): item is Fields {
  return isFields(item) && (item.type === 'function_call_result' || ACTED.has(item.type));
}

/**
 * The ids of calls that were answered since the model's last answer, and not by their tools: a person has declined them in an
 * interruption, and the SDK tells the model so.
 */
export function declinedIn(conversation: Conversation, { input }: Partial<ModelRequest>): readonly string[] {
  const items = listOf(input);
  const { reached } = actorsOf(conversation);
  return items
    .slice(items.findLastIndex((item) => !isResult(item)) + 1)
    .filter(isResult)
    .map(({ callId }) => String(callId))
    .filter((id) => !reached.has(id));
}

/** Refuses a request with the result of an action that was never checked: the tool that was given is used, not the guarded one. */
export function checkActions(conversation: Conversation, { input }: Partial<ModelRequest>): void {
  const { called, checked } = actorsOf(conversation);
  for (const { type, callId } of listOf(input).filter(isFields)) {
    const name = ACTED.has(type) ? called.get(String(callId)) : undefined;
    if (name !== undefined && !checked.has(name))
      refuse(
        `A call of the tool ${name} was made, but it is not behind the gate. Use the tools that protect() returns.`,
      );
  }
}
