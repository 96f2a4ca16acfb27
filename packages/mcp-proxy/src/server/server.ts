import { causeName, digestText, fieldsOf, isPlain } from '@sallyport/core/adapter';
import { type JsonNode, type JsonText, memberNamed, memberOf, readValue } from '@sallyport/core/json';
import type { Connection, Wires } from '../connection/connection.ts';
import { keepPage } from '../content/app.ts';
import { Cover } from '../content/cover.ts';
import { redactStrings } from '../content/redact.ts';
import { keep, textOnly, typed } from '../content/structured-content.ts';
import { errorText, type Id, idFromEnds, isBatch, type Message, readMessage } from '../message/message.ts';
import { META } from '../message/meta.ts';
import type { DroppedReason } from '../state/event.ts';
import type { Origin } from '../state/memory.ts';
import type { SentRequest } from '../state/pending.ts';
import { coverInstructions, coverListing } from './definitions.ts';
import { typedSchemaOf } from './tool-list.ts';

const MAX_ID_LENGTH = 4096;
const UNFRAMED = "The server's answer could not be framed";
const MAX_ANSWERED_WITH_QUESTION = 1000;
const MAX_END_LENGTH = 512;
const OWN_META: ReadonlySet<string> = new Set([META.source, META.decision]);
const HANDSHAKE_METHODS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

interface Ends {
  readonly beginning: string;
  readonly ending: string;
}

function endsOf(text: string): Ends {
  return { beginning: text.slice(0, MAX_END_LENGTH), ending: text.slice(-MAX_END_LENGTH) };
}

/** Methods whose answers explain the use of the server, in the imperative. */
const DEFINITION_METHODS: ReadonlySet<string> = new Set([
  ...HANDSHAKE_METHODS,
  'tools/list',
  'prompts/list',
  'resources/templates/list',
]);

/** Checks an id that a server chose: it must not be prose, or an id of the proxy's own questions. */
function isServersId(id: string): boolean {
  return isPlain(id) && !id.startsWith('sallyport-');
}

/** The addresses, paths and ids in a text. */
function atomsIn(text: string): readonly string[] {
  return text.match(/[^\s"'<>(),;]*[@./:_\d-][^\s"'<>(),;]*/g) ?? [];
}

/** Handles the server's messages. Every text of a message is framed, or the message is not passed on. */
export class ServerSide {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** False if the text is not a message. */
  async receive(text: string, wires: Wires): Promise<boolean> {
    const message = this.#read(text);
    switch (message.type) {
      case 'unreadable':
        if (message.reason === 'syntax') this.refuse('syntax', endsOf(text), wires);
        else this.#drop(message.reason);
        return false;
      case 'batch':
        await this.#receiveBatch(message.text, message.texts, wires);
        return true;
      case 'response':
        await this.#receiveResponse(message, wires);
        return true;
      case 'request':
      case 'notification':
        await this.#receiveUnsolicited(message, wires);
        return true;
    }
  }

  /** Reads a message after its secrets are removed. A batch is redacted message by message. */
  #read(text: string): Message {
    const { redact } = this.#connection.settings;
    const message = readMessage(text);
    if (redact === undefined || !('json' in message)) return message;
    const redacted = redactStrings(message.json, redact);
    return redacted === message.json.text ? message : readMessage(redacted);
  }

  /** Handles a line that is too long, not UTF-8 or not JSON. If it answers a request, the client receives an error. */
  refuse(reason: 'oversized' | 'encoding' | 'syntax', ends: Ends, wires: Wires): void {
    const id = idFromEnds(ends.beginning, ends.ending);
    this.#drop(reason);
    if (id !== undefined && this.#connection.pending.take(id) !== undefined)
      wires.toClient(errorText(id, -32603, `${UNFRAMED}: ${reason}`));
  }

  #drop(reason: DroppedReason, cause?: unknown): void {
    const because = cause === undefined ? {} : { cause: causeName(cause) };
    this.#connection.settings.onEvent({ type: 'dropped', from: 'server', reason, ...because });
  }

  async #receiveBatch(text: string, texts: readonly string[], wires: Wires): Promise<void> {
    const covered: string[] = [];
    for (const each of texts)
      if (isBatch(each)) this.#drop('kind');
      else await this.receive(each, { toClient: (answer) => covered.push(answer), toServer: wires.toServer });
    const isWhole = covered.length === texts.length && covered.every((each, index) => each === texts[index]);
    if (covered.length > 0) wires.toClient(isWhole ? text : `[${covered.join(',')}]`);
  }

  /** Handles a server's request or notification. It belongs to no single conversation, so it counts as read by all. */
  async #receiveUnsolicited(
    message: Extract<Message, { type: 'request' | 'notification' }>,
    wires: Wires,
  ): Promise<void> {
    const { json } = message;
    // A client answers under the same id, so the id cannot be framed. It must not be an id of our own questions either.
    if (message.type === 'request' && typeof message.id === 'string' && !isServersId(message.id)) {
      this.#drop('kind');
      // Bounded: the error repeats an id that the server chose.
      if (message.id.length <= MAX_ID_LENGTH) wires.toServer(errorText(message.id, -32600, 'Invalid request'));
      return;
    }
    try {
      const params = memberOf(json.root, 'params');
      const cover = this.#cover(json, params);
      cover.walkMessage();
      const frames = await this.#connection.memories.principal.addOnce(this.#from(undefined), cover);
      wires.toClient(this.#finish(cover, frames, params, undefined));
    } catch (cause) {
      this.#drop('uncovered', cause);
      if (message.type === 'request') wires.toServer(errorText(message.id, -32603, 'The request could not be framed'));
    }
  }

  async #receiveResponse({ id, json }: Extract<Message, { type: 'response' }>, wires: Wires): Promise<void> {
    const { pending } = this.#connection;
    const sent = id === null ? this.#unidentified() : (pending.take(id) ?? this.#replayed(json, id));
    // No client has sent such a request.
    if (sent === undefined) return this.#drop('unmatched');
    try {
      wires.toClient(await this.#covered(json, sent));
    } catch (cause) {
      this.#drop('uncovered', cause);
      wires.toClient(errorText(id as Id, -32603, UNFRAMED));
    }
  }

  /** The request for an answer without an id, which a server sends if it could not read a message. */
  #unidentified(): SentRequest {
    const memory = this.#connection.memories.principal;
    const recordId = `mcp-${this.#connection.settings.randomId()}`;
    return { method: '', memory, recordId, tool: undefined, callKey: undefined };
  }

  /** The request for an answer that is sent again on another connection. It counts as read by all conversations. */
  #replayed({ text, root }: JsonText, id: Id): SentRequest | undefined {
    const { settings, memories } = this.#connection;
    // The id is passed on unframed.
    if (!settings.replays || (typeof id === 'string' && !isServersId(id))) return undefined;
    const { tools, serverInfo, supportedVersions } = fieldsOf(readValue(text, memberOf(root, 'result')));
    const isHandshake = serverInfo !== undefined || supportedVersions !== undefined;
    const method = Array.isArray(tools) ? 'tools/list' : isHandshake ? 'initialize' : '';
    const recordId = `mcp-${digestText(text).slice(0, 32)}`;
    return { method, memory: memories.principal, recordId, tool: undefined, callKey: undefined };
  }

  /** In mode `annotate`, texts in a holder that can carry an annotation stay unframed. */
  #cover(json: JsonText, holder: JsonNode | undefined): Cover {
    const isRaw = this.#connection.settings.mode === 'annotate' && holder?.type === 'object';
    return new Cover(json, isRaw ? holder : undefined);
  }

  async #covered(json: JsonText, sent: SentRequest): Promise<string> {
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

  /** Unframed strings are recorded as well: a call may use an address from there. */
  #framesOf({ texts, bare }: Cover, { memory, recordId, method, tool }: SentRequest): Promise<readonly string[]> {
    if (!DEFINITION_METHODS.has(method)) return memory.add({ id: recordId, ...this.#from(tool) }, { texts, bare });
    const content = { texts, bare: [...bare, ...texts.flatMap(atomsIn)] };
    return this.#connection.memories.define(memory, this.#from(tool), content);
  }

  #from(tool: string | undefined): Omit<Origin, 'id'> {
    const { server, prefix } = this.#connection.settings;
    return { server, tool: tool === undefined ? undefined : `${prefix}${tool}` };
  }

  /** Handles the parts that are not simply framed in place. */
  async #prepare(cover: Cover, result: JsonNode, sent: SentRequest): Promise<void> {
    this.#remember(cover.json, result, sent);
    if (HANDSHAKE_METHODS.has(sent.method)) await coverInstructions(this.#connection, cover, result);
    const tools = memberOf(result, 'tools');
    if (sent.method === 'tools/list' && tools?.type === 'array') {
      const isWhole = sent.isFirstPage === true && memberOf(result, 'nextCursor') === undefined;
      await coverListing(this.#connection, cover, tools, { memory: sent.memory, isWhole });
    }
    if (sent.uri !== undefined && this.#connection.catalog.isPage(sent.uri)) keepPage(cover, result, sent.uri);
    this.#coverStructured(cover, result, sent);
  }

  /** Remembers a call that has not ended: the server asks a question, or continues in the background. */
  #remember({ text }: JsonText, result: JsonNode, { callKey, tool }: SentRequest): void {
    if (callKey === undefined || tool === undefined) return;
    const { resultType, task, taskId: begun } = fieldsOf(readValue(text, result));
    // Until 2025 a task was a member of its own.
    const { taskId = begun } = fieldsOf(task);
    const { answeredWithQuestion, tasks } = this.#connection.guardState;
    if (resultType === 'input_required' && answeredWithQuestion.push(callKey) > MAX_ANSWERED_WITH_QUESTION)
      answeredWithQuestion.shift();
    if (typeof taskId !== 'string') return;
    tasks.set(taskId, tool);
  }

  /** Covers structured content by the settings. Content for a page of the server passes unchanged. */
  #coverStructured(cover: Cover, result: JsonNode, { tool, memory, recordId }: SentRequest): void {
    const { structured, mode } = this.#connection.settings;
    if (structured === 'keep' || (structured === 'typed' && this.#connection.isDrawn(tool))) {
      const isKept = keep(cover, result);
      if (isKept && mode === 'frame') this.#annotate(cover, result, tool);
      return;
    }
    const definition = tool === undefined ? undefined : this.#connection.catalog.definitionOf(tool);
    const schema = definition === undefined ? undefined : typedSchemaOf(definition, memory.frameKey);
    if (structured === 'text-only' || schema === undefined) textOnly(cover, result);
    else typed(cover, result, { key: memory.frameKey, id: recordId, schema: definition?.outputSchema as never });
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

  /** Removes `_meta` members that only the proxy may write: a server could impersonate it. */
  #disown(cover: Cover, holder: JsonNode): void {
    const meta = memberOf(holder, '_meta');
    for (const member of meta?.members ?? [])
      if (OWN_META.has(member.name ?? '')) cover.edits.remove(meta as JsonNode, member);
  }

  #finish(cover: Cover, frames: readonly string[], holder: JsonNode | undefined, tool: string | undefined): string {
    cover.put(frames);
    if (holder !== undefined) this.#disown(cover, holder);
    const isAnnotated = this.#connection.settings.mode === 'annotate' && holder?.type === 'object';
    if (isAnnotated && cover.texts.length > 0) this.#annotate(cover, holder, tool);
    return cover.finish();
  }
}
