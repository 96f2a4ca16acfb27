import { digestText, READING_RULES } from '@sallyport/core/adapter';
import { type JsonNode, type JsonText, memberNamed, memberOf, readValue } from '@sallyport/core/json';
import type { Connection, Wires } from '../connection/connection.ts';
import { Cover } from '../content/cover.ts';
import { Comparison, type Held } from '../content/pin.ts';
import { isPlain } from '../content/plain-strings.ts';
import { textOnly, typed } from '../content/structured-content.ts';
import { fieldsOf } from '../message/fields.ts';
import { errorText, type Id, idFromEnds, isBatch, type Message, readMessage } from '../message/message.ts';
import { META } from '../message/meta.ts';
import type { DroppedReason } from '../state/event.ts';
import type { Origin } from '../state/memory.ts';
import type { Sent } from '../state/pending.ts';
import { coverTools, typedSchemaOf } from './tool-list.ts';

const MAX_ID_LENGTH = 4096;
const UNCOVERED = 'What the server answered could not be covered';
const MAX_ASKED = 1000;
const MAX_TASKS = 10_000;
const KEPT = 512;
const OWN: ReadonlySet<string> = new Set([META.source, META.decision]);
const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

interface Ends {
  readonly beginning: string;
  readonly ending: string;
}

function endsOf(text: string): Ends {
  return { beginning: text.slice(0, KEPT), ending: text.slice(-KEPT) };
}

/** What these are answered with says how to use the server, in the form of orders. */
const DEFINING: ReadonlySet<string> = new Set([...GREETINGS, 'tools/list', 'prompts/list', 'resources/templates/list']);

/** Whether a server may name something so: no words, and none of the names of our own questions. */
function isServersId(id: string): boolean {
  return isPlain(id) && !id.startsWith('sallyport-');
}

/** The addresses, paths and ids of a text. */
function atomsIn(text: string): readonly string[] {
  return text.match(/[^\s"'<>(),;]*[@./:_\d-][^\s"'<>(),;]*/g) ?? [];
}

/** What becomes of the messages of a server: every word of it is covered, or does not go on. */
export class ServerSide {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** False where the text was no message. */
  async take(text: string, wires: Wires): Promise<boolean> {
    const message = readMessage(text);
    switch (message.type) {
      case 'unreadable':
        if (message.reason === 'syntax') this.refuse('syntax', endsOf(text), wires);
        else this.#drop(message.reason);
        return false;
      case 'batch':
        await this.#takeBatch(message.text, message.texts, wires);
        return true;
      case 'response':
        await this.#takeResponse(message, wires);
        return true;
      case 'request':
      case 'notification':
        await this.#takeSpoken(message, wires);
        return true;
    }
  }

  /** A line that was too long, no text or no JSON: whoever waits for it is told. */
  refuse(reason: 'oversized' | 'encoding' | 'syntax', ends: Ends, wires: Wires): void {
    const id = idFromEnds(ends.beginning, ends.ending);
    this.#drop(reason);
    if (id !== undefined && this.#connection.pending.take(id) !== undefined)
      wires.toClient(errorText(id, -32603, `${UNCOVERED}: ${reason}`));
  }

  #drop(reason: DroppedReason): void {
    this.#connection.settings.onEvent({ type: 'dropped', from: 'server', reason });
  }

  async #takeBatch(text: string, texts: readonly string[], wires: Wires): Promise<void> {
    const covered: string[] = [];
    for (const each of texts)
      if (isBatch(each)) this.#drop('kind');
      else await this.take(each, { toClient: (answer) => covered.push(answer), toServer: wires.toServer });
    const isWhole = covered.length === texts.length && covered.every((each, index) => each === texts[index]);
    if (covered.length > 0) wires.toClient(isWhole ? text : `[${covered.join(',')}]`);
  }

  /** A request of the server, or something it tells: no conversation in particular reads it, so all have. */
  async #takeSpoken(message: Extract<Message, { type: 'request' | 'notification' }>, wires: Wires): Promise<void> {
    const { json } = message;
    // A client answers under this very id, so it cannot be covered.
    // And under ours it answers our own questions.
    if (message.type === 'request' && typeof message.id === 'string' && !isServersId(message.id)) {
      this.#drop('kind');
      // A server that does not read is told nothing at any length.
      if (message.id.length <= MAX_ID_LENGTH) wires.toServer(errorText(message.id, -32600, 'Invalid request'));
      return;
    }
    try {
      const params = memberOf(json.root, 'params');
      const cover = this.#cover(json, params);
      cover.walkMessage();
      const frames = await this.#connection.memories.principal.takeOnce(this.#from(undefined), cover);
      wires.toClient(this.#finish(cover, frames, params, undefined));
    } catch {
      this.#drop('uncovered');
      if (message.type === 'request') wires.toServer(errorText(message.id, -32603, 'The request could not be covered'));
    }
  }

  async #takeResponse({ id, json }: Extract<Message, { type: 'response' }>, wires: Wires): Promise<void> {
    const { pending } = this.#connection;
    const sent = id === null ? this.#nobody() : (pending.take(id) ?? this.#replayed(json, id));
    // Nobody has asked: whatever it says, no client can have a use for it.
    if (sent === undefined) return this.#drop('unmatched');
    try {
      wires.toClient(await this.#covered(json, sent));
    } catch {
      this.#drop('uncovered');
      wires.toClient(errorText(id as Id, -32603, UNCOVERED));
    }
  }

  /** An answer without an id: the server could not read what it answers. */
  #nobody(): Sent {
    const memory = this.#connection.memories.principal;
    const recordId = `mcp-${this.#connection.settings.randomId()}`;
    return { method: '', memory, recordId, tool: undefined, callKey: undefined };
  }

  /** An answer that is sent again, to a connection that did not ask for it: all conversations have read it. */
  #replayed({ text, root }: JsonText, id: Id): Sent | undefined {
    const { settings, memories } = this.#connection;
    // An id goes on as it is.
    if (!settings.replays || (typeof id === 'string' && !isServersId(id))) return undefined;
    const { tools, serverInfo, supportedVersions } = fieldsOf(readValue(text, memberOf(root, 'result')));
    const isGreeting = serverInfo !== undefined || supportedVersions !== undefined;
    const method = Array.isArray(tools) ? 'tools/list' : isGreeting ? 'initialize' : '';
    const recordId = `mcp-${digestText(text).slice(0, 32)}`;
    return { method, memory: memories.principal, recordId, tool: undefined, callKey: undefined };
  }

  /** What stands in a holder that can say whose words they are goes on raw, where the host frames. */
  #cover(json: JsonText, holder: JsonNode | undefined): Cover {
    const isRaw = this.#connection.settings.mode === 'annotate' && holder?.type === 'object';
    return new Cover(json, isRaw ? holder : undefined);
  }

  async #covered(json: JsonText, sent: Sent): Promise<string> {
    const result = memberOf(json.root, 'result');
    const cover = this.#cover(json, result);
    if (result?.type === 'object') await this.#prepare(cover, result, sent);
    cover.walkMessage();
    const { memory, recordId: id, method, tool } = sent;
    const { journal, server } = this.#connection.settings;
    const answered = { conversation: memory.id, server, id, method, tool, text: json.text };
    const [frames] = await Promise.all([this.#framesOf(cover, sent), journal.answered?.(answered)]);
    return this.#finish(cover, frames, result, tool);
  }

  /** What stands as it is was read as well: a call may take an address from there. */
  #framesOf({ texts, bare }: Cover, { memory, recordId, method, tool }: Sent): Promise<readonly string[]> {
    if (!DEFINING.has(method)) return memory.take({ id: recordId, ...this.#from(tool) }, { texts, bare });
    const said = { texts, bare: [...bare, ...texts.flatMap(atomsIn)] };
    return this.#connection.memories.define(memory, this.#from(tool), said);
  }

  #from(tool: string | undefined): Omit<Origin, 'id'> {
    const { server, prefix } = this.#connection.settings;
    return { server, tool: tool === undefined ? undefined : `${prefix}${tool}` };
  }

  /** What is not simply framed where it stands. */
  async #prepare(cover: Cover, result: JsonNode, sent: Sent): Promise<void> {
    this.#remember(cover.json, result, sent);
    if (GREETINGS.has(sent.method)) await this.#coverGreeting(cover, result);
    const tools = memberOf(result, 'tools');
    if (sent.method === 'tools/list' && tools?.type === 'array') await this.#coverListing(cover, tools, sent);
    const { structured } = this.#connection.settings;
    if (structured === 'keep') this.#keepStructured(cover, result, sent);
    else if (structured === 'typed') this.#typeStructured(cover, result, sent);
    else textOnly(cover, result);
  }

  /** A call that is not over: the server asks something, or goes on in the background. */
  #remember({ text }: JsonText, result: JsonNode, { callKey, tool }: Sent): void {
    if (callKey === undefined || tool === undefined) return;
    const { resultType, task, taskId: begun } = fieldsOf(readValue(text, result));
    // Until 2025 a task stood in a member of its own.
    const { taskId = begun } = fieldsOf(task);
    const { asked, tasks } = this.#connection.premises;
    if (resultType === 'input_required' && asked.push(callKey) > MAX_ASKED) asked.shift();
    if (typeof taskId !== 'string') return;
    tasks.set(taskId, tool);
    const [oldest] = tasks.keys();
    if (tasks.size > MAX_TASKS && oldest !== undefined) tasks.delete(oldest);
  }

  async #coverGreeting(cover: Cover, result: JsonNode): Promise<void> {
    const { pins, mode, isTrusted } = this.#connection.settings;
    const member = memberNamed(result, 'instructions');
    const value = member === undefined ? '' : readValue(cover.json.text, member.value);
    const said = typeof value === 'string' ? value : JSON.stringify(value);
    const pinned = (await pins.load())?.instructions;
    if (pinned === undefined) await pins.add({ tools: {}, instructions: said });
    const isChanged = pinned !== undefined && pinned !== said;
    if (isChanged) await this.#hold([{ type: 'instructions', before: pinned, after: said }]);
    if (member !== undefined) cover.skip(member.value);
    const put = (text: string): void => {
      const json = JSON.stringify(mode === 'frame' ? `${READING_RULES}${text === '' ? '' : `\n\n${text}`}` : text);
      if (member === undefined) cover.edits.add(result, 'instructions', json);
      else cover.edits.replace(member.value.start, member.value.end, json);
    };
    if (isChanged || said === '') {
      if (isChanged || mode === 'frame') put('');
    } else if (isTrusted) put(said);
    else cover.add(said, mode === 'frame' ? put : () => undefined);
  }

  async #coverListing(cover: Cover, tools: JsonNode, { memory }: Sent): Promise<void> {
    const { pins, isTrusted, structured, mode } = this.#connection.settings;
    const compared = new Comparison((await pins.load()) ?? { tools: {} }, await pins.others());
    const isFraming = mode === 'frame';
    const listing = coverTools(cover, tools, compared, { isTrusted, structured, isFraming, key: memory.frameKey });
    const fresh = listing.fresh.map((definition) => [String(definition.name), definition] as const);
    if (fresh.length > 0) await pins.add({ tools: Object.fromEntries(fresh) });
    if (listing.held.length > 0) await this.#hold(listing.held);
    this.#connection.catalog.show(listing.shown);
  }

  async #hold(held: readonly Held[]): Promise<void> {
    const { pins, onEvent } = this.#connection.settings;
    await pins.hold(held);
    this.#connection.catalog.hold(held);
    onEvent({ type: 'held', held });
  }

  #typeStructured(cover: Cover, result: JsonNode, { tool, memory, recordId }: Sent): void {
    const definition = tool === undefined ? undefined : this.#connection.catalog.definitionOf(tool);
    const schema = definition === undefined ? undefined : definition.outputSchema;
    const isTyped = definition !== undefined && typedSchemaOf(definition, memory.frameKey) !== undefined;
    if (!isTyped) textOnly(cover, result);
    else typed(cover, result, { key: memory.frameKey, id: recordId, schema: schema as never });
  }

  /** Raw, beside an annotation; read all the same, so that calls are judged by it. */
  #keepStructured(cover: Cover, result: JsonNode, { tool }: Sent): void {
    const structured = memberOf(result, 'structuredContent');
    if (structured === undefined) return;
    cover.skip(structured);
    cover.add(cover.json.text.slice(structured.start, structured.end), () => undefined);
    if (this.#connection.settings.mode === 'frame') this.#annotate(cover, result, tool);
  }

  #annotate(cover: Cover, holder: JsonNode, tool: string | undefined): void {
    const about = JSON.stringify({ server: this.#connection.settings.server, ...(tool === undefined ? {} : { tool }) });
    const meta = memberNamed(holder, '_meta');
    const own = `{${JSON.stringify(META.source)}:${about}}`;
    if (meta === undefined) cover.edits.add(holder, '_meta', own);
    else if (meta.value.type === 'object') {
      cover.edits.add(meta.value, META.source, about);
    } else {
      cover.skip(meta.value);
      cover.edits.replace(meta.value.start, meta.value.end, own);
    }
  }

  /** What only the boundary says: what a server says under these names would be taken for it. */
  #disown(cover: Cover, holder: JsonNode): void {
    const meta = memberOf(holder, '_meta');
    for (const member of meta?.members ?? [])
      if (OWN.has(member.name ?? '')) cover.edits.remove(meta as JsonNode, member);
  }

  #finish(cover: Cover, frames: readonly string[], holder: JsonNode | undefined, tool: string | undefined): string {
    cover.put(frames);
    if (holder !== undefined) this.#disown(cover, holder);
    const isAnnotated = this.#connection.settings.mode === 'annotate' && holder?.type === 'object';
    if (isAnnotated && cover.texts.length > 0) this.#annotate(cover, holder, tool);
    return cover.finish();
  }
}
