// What a client may be told: every word of the server in a frame that opens with the key of the conversation.
import { READING_RULES } from '@sallyport/core/adapter';
import { readFrame } from '@sallyport/core/stages';
import { FIELD_NOTICE } from '@sallyport/fields';
import { Comparison } from './compare.mjs';
import { isTable } from './message.mjs';

const SAYING = 3;
const IMITATION = /<\/?(?:untrusted|untrusted_field|quoted_span|marked_span|omitted_bytes) /;
/** What the cheap classifier of a run finds. */
const MARKED = />>.*?<</s;
const UNFRAMED = /^The server's answer could not be framed(?:: (?:oversized|encoding|syntax))?$/;
const REFUSAL = /^The call was not made: [\w ,.:]+$/;
const REPEATED = 'Another request with this id has not been answered yet';
const GREETINGS = new Set(['initialize', 'server/discover']);
/** The methods whose answers define something, under a key of their own. */
const DEFINITIONS = new Set([...GREETINGS, 'tools/list', 'prompts/list', 'resources/templates/list']);
const FIELD = /^<untrusted_field ([a-z]+(?: [a-z]+){3})>(.*)<\/untrusted_field ([a-z]+(?: [a-z]+){3})>$/s;

/** The strings of a value that have the form of a frame: the server wrote them, so they must not arrive as they are. */
function framesIn(value) {
  const found = new Set();
  const left = [value];
  for (let next = left.pop(); left.length > 0 || next !== undefined; next = left.pop()) {
    if (typeof next === 'string' && readFrame(next) !== undefined) found.add(next);
    if (typeof next === 'object' && next !== null)
      left.push(...Object.values(next).filter((each) => each !== undefined));
  }
  return found;
}

function saysSomething(text) {
  return text.split(/\s+/u).filter((word) => word !== '').length >= SAYING || IMITATION.test(text);
}

/** What must be the same in a frame that is opened. */
const saidIn = ({ origin, texts }) => JSON.stringify([origin, texts]);

/** The frames and fields of one conversation. */
export class Opener {
  #key;
  // By its nonce, what is in a frame that was sent.
  #frames = new Map();
  #definitions = new Map();
  // Frames in answers to requests that are not known: of definitions, perhaps.
  #unclear = new Set();
  #codes = new Set();
  #issued;
  #isPrincipal;
  #counted = 0;

  /** `issued` are the ids that were made for the proxy, which its codes are derived from. */
  constructor(key, issued, isPrincipal) {
    this.#isPrincipal = isPrincipal;
    this.#key = key;
    this.#issued = issued;
  }

  /** Takes a frame that the proxy sent. Undefined if it is not one, or has the nonce of a frame with another content. */
  learn = (text, method, isGreeting) => {
    const read = typeof text === 'string' ? readFrame(text) : undefined;
    if (read === undefined) return undefined;
    if (method === '') this.#unclear.add(read.nonce);
    const isDefinition = isGreeting || DEFINITIONS.has(method);
    const frames = isDefinition ? this.#definitions : this.#frames;
    const known = frames.get(read.nonce);
    if (known === undefined) frames.set(read.nonce, saidIn(read));
    return known === undefined || known === saidIn(read) ? read : undefined;
  };

  /** What is in a frame that was sent before. */
  open = (text) => this.#openIn(text, [this.#frames, this.#definitions]);

  /** What the proxy makes of a frame in an answer to this method: it knows the frames of the memory that the answer goes to. */
  openSaid = (text, method) => this.#openIn(text, [DEFINITIONS.has(method) ? this.#kept : this.#frames]);

  /** Whether only the proxy knows if a frame in an answer is one of the memory that the answer goes to. */
  isUnclear = (text) => typeof text === 'string' && this.#unclear.has(readFrame(text)?.nonce);

  /** What the proxy makes of a frame that the client returns. */
  openReturned = (text) => this.#openIn(text, [this.#frames, this.#kept]);

  /** Definitions of a conversation that a host names are recorded under the principal. */
  get #kept() {
    return this.#isPrincipal ? this.#definitions : new Map();
  }

  #openIn(text, tables) {
    const read = typeof text === 'string' ? readFrame(text) : undefined;
    return read && tables.some((frames) => frames.get(read.nonce) === saidIn(read)) ? read : undefined;
  }

  /** The content of a tagged text, or undefined if the tag is not the proxy's. */
  fieldIn = (text) => {
    const [, code, inner, closing] = FIELD.exec(text) ?? [];
    if (code === undefined || code !== closing || inner.includes(`untrusted_field ${code}`)) return undefined;
    for (; this.#counted < this.#issued.length; this.#counted++)
      this.#codes.add(this.#key.nonce('field', `mcp-${this.#issued[this.#counted]}`));
    return this.#codes.has(code) ? inner : undefined;
  };
}

/** Whether a message is what we say ourselves, as a whole: nothing of it is the server's. */
export function isOwnAnswer(message) {
  const { error, result } = message;
  const names = Object.keys(message).sort().join();
  if (names === 'error,id,jsonrpc') {
    const { code, message: text } = error ?? {};
    const isKnown =
      UNFRAMED.test(text) || text === REPEATED || ['Invalid request', 'Parse error', 'Invalid params'].includes(text);
    return typeof code === 'number' && isKnown && Object.keys(error).length === 2;
  }
  const [block] = result?.content ?? [];
  const decision = result?._meta?.['sallyport/decision'];
  return (
    names === 'id,jsonrpc,result' && decision !== undefined && result.content.length === 1 && REFUSAL.test(block.text)
  );
}

export function isUncovered({ error }) {
  return isTable(error) && error.code === -32603 && UNFRAMED.test(error.message);
}

/** Whether a message is the proxy's question to the user, which quotes content. */
export function isOwnQuestion({ id, method, result }, issued) {
  if (method === 'elicitation/create') return typeof id === 'string' && issued.has(id.replace(/^sallyport-/, ''));
  const { resultType, requestState } = isTable(result) ? result : {};
  const [, , made] = typeof requestState === 'string' ? requestState.split('.') : [];
  return resultType === 'input_required' && requestState.startsWith('sallyport.') && issued.has(made);
}

export class Check {
  #setup;
  #report;
  #onFrame;

  /** `report` takes a rule and what breaks it, `onFrame` every frame and what is in it. */
  constructor(setup, report, onFrame) {
    this.#setup = setup;
    this.#report = report;
    this.#onFrame = onFrame;
  }

  /** A message of the server as it reached the client. `said` is undefined if the original is unknown. */
  spoken(shown, said, { opener, method }) {
    if (!isTable(shown)) {
      this.#report('shape', JSON.stringify(shown));
      return;
    }
    this.#words(shown, { opener, method, imitations: framesIn(said) });
    if (said === undefined) return;
    const problem = new Comparison({ ...opener, setup: this.#setup, method }).problem(said, shown);
    if (problem !== undefined) this.#report('recoverable', `${problem} in ${JSON.stringify(shown)}`);
  }

  /** Members below which prose may be unframed, because the user trusts the server or an annotation names the source. */
  #bareIn(shown, method) {
    const { mode, structured, isTrusted } = this.#setup;
    const holder = isTable(shown.result) ? shown.result : isTable(shown.params) ? shown.params : {};
    const isAnnotated = holder._meta?.['sallyport/source']?.server === 'fix';
    const bare = new Set();
    const accepted = new Set();
    if (mode === 'annotate' && isAnnotated) bare.add(holder);
    if (isTrusted && method === 'tools/list') bare.add(holder.tools);
    else if (method === 'tools/list' && Array.isArray(holder.tools))
      for (const tool of holder.tools) if (this.#addAccepted(tool, bare)) accepted.add(tool);
    const isKept = structured === 'keep' && isAnnotated;
    return { bare, accepted, isKept };
  }

  /** Whether a definition is accepted. Then it is unframed, except its `_meta`. Without a person, nothing that is found may be in it. */
  #addAccepted(tool, bare) {
    const { acceptanceOf, classifier } = this.#setup;
    const { isAccepted, isByPerson } = acceptanceOf(isTable(tool) ? tool.name : undefined);
    if (!isAccepted) return false;
    const { _meta, ...definition } = tool;
    const text = JSON.stringify(definition);
    const isMarked = classifier?.id === 'fuzz-cheap' && MARKED.test(text);
    if (!isByPerson && (classifier === undefined || isMarked || IMITATION.test(text)))
      this.#report('unframed', `accepted without a person: ${text.slice(0, 160)}`);
    for (const value of Object.values(definition)) bare.add(value);
    return true;
  }

  #words(shown, context) {
    const { opener, method } = context;
    const { bare, accepted, isKept } = this.#bareIn(shown, method);
    const left = [];
    const add = (value, path, isTyped) => {
      const isInTool = path.startsWith('/result/tools/-/') && typeof value === 'string';
      const isBare =
        ((typeof value === 'object' || isInTool) && bare.has(value)) ||
        (isKept && path === '/result/structuredContent');
      if (!isBare) left.push({ value, path, isTyped });
    };
    for (const [name, value] of Object.entries(shown)) {
      this.#name(name, '', undefined);
      // The id of an answer is the client's own.
      if (name !== 'id' || shown.method !== undefined) add(value, `/${name}`, false);
    }
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { value, path, isTyped } = next;
      const isField = isTyped || (this.#setup.structured === 'typed' && path === '/result/structuredContent');
      if (typeof value === 'string') this.#text(value, path, { ...context, isTyped: isField });
      if (typeof value !== 'object' || value === null) continue;
      for (const [name, each] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
        // Who accepts a definition accepts the names of its members.
        if (typeof name === 'string' && !accepted.has(value)) this.#name(name, path, isField ? opener : undefined);
        add(each, path.length > 60 ? path : `${path}/${typeof name === 'string' ? name.slice(0, 20) : '-'}`, isField);
      }
    }
  }

  #name(name, path, opener) {
    if (!saysSomething(name) || opener?.fieldIn(name) !== undefined) return;
    this.#report('unframed', `name at ${path}: ${name.slice(0, 120)}`);
  }

  #text(text, path, { opener, method, imitations, isTyped }) {
    // The request of an answer is not known, or another one is taken for it, if its id was used twice at a time.
    const isKnown = GREETINGS.has(method) || text.startsWith(READING_RULES);
    const isGreeting = path === '/result/instructions' && isKnown && this.#setup.mode === 'frame';
    const rest =
      isGreeting && text.startsWith(READING_RULES) ? text.slice(READING_RULES.length).replace(/^\n\n/, '') : text;
    const opened = imitations.has(rest) ? undefined : opener.learn(rest, method, isGreeting);
    if (opened !== undefined) {
      this.#onFrame(rest, opened.texts[0]);
      return;
    }
    if (!saysSomething(rest) || (isGreeting && this.#setup.isTrusted)) return;
    // In an annotation it is the client's own word for the tool.
    if (path.endsWith('/_meta/sallyport/source/tool')) return;
    if (isTyped && (opener.fieldIn(text) !== undefined || text === FIELD_NOTICE)) return;
    this.#report('unframed', `${path}: ${text.slice(0, 160)}`);
  }
}
