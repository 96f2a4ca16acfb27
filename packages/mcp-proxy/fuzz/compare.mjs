// Whether a client can have back what a server said: frames hold it, and nothing else was changed or lost.
import { canonicalJson, READING_RULES } from '@sallyport/core/adapter';
import { recover } from '@sallyport/core/stages';
import { isTable } from './message.mjs';

/** What may be missing at the client: it is said elsewhere, hides nothing but a claim, or belongs to us. */
const TAKEN_OUT = new Set([
  'structuredContent',
  'outputSchema',
  'pattern',
  'readOnlyHint',
  'idempotentHint',
  'destructiveHint',
  'openWorldHint',
]);
const OUR_OWN = new Set(['content', 'isError', 'instructions', '_meta', 'sallyport/source']);
const DEEPEST = 400;
const GREETINGS = new Set(['initialize', 'server/discover']);

// Core removes live codes of the conversation from incoming content.
const REMOVED = '(code removed)';
/** A code in what the server said: four words, and what may be between them. */
const CODE = '[\\s\\S]{12,400}?';

function isSameText(said, shown, isWhole) {
  if (isWhole ? said === shown : said.startsWith(shown)) return true;
  // At a cut the replacement may be cut too.
  const at = shown.lastIndexOf('(');
  const pieces = (!isWhole && REMOVED.startsWith(shown.slice(at)) ? shown.slice(0, at) : shown).split(REMOVED);
  return new RegExp(`^${pieces.map(RegExp.escape).join(CODE)}${isWhole ? '$' : ''}`).test(said);
}

function isSameJson(text, value) {
  try {
    // Two names may be one without their codes.
    return canonicalJson(JSON.parse(text)) === canonicalJson(value) || text.includes(REMOVED);
  } catch {
    return false;
  }
}

/** A value without the strings that a text block says, which are not said again. */
function unsaidIn(value, texts) {
  if (typeof value === 'string') return texts.has(value) ? '' : value;
  if (Array.isArray(value)) return value.map((each) => unsaidIn(each, texts));
  if (!isTable(value)) return value;
  const left = Object.entries(value).filter(([, each]) => typeof each !== 'string' || !texts.has(each));
  return Object.fromEntries(left.map(([name, each]) => [name, unsaidIn(each, texts)]));
}

function saysNothing(value) {
  return typeof value === 'object' && value !== null ? Object.values(value).every(saysNothing) : value === '';
}

export class Comparison {
  #context;

  /** `context` has open and openSaid, the frames of one conversation, fieldIn, tagged texts of it, setup and method. */
  constructor(context) {
    this.#context = context;
  }

  /** What is wrong with a message to the client, by what the server said; undefined where nothing is. */
  problem(server, client) {
    const { setup, method } = this.#context;
    const result = isTable(server.result) && isTable(client.result) ? server.result : undefined;
    if (result !== undefined && Object.hasOwn(result, 'structuredContent')) {
      const said = this.#structured(result, client.result);
      if (said !== undefined) return said;
    }
    if (result !== undefined && GREETINGS.has(method)) {
      const said = this.#instructions(result.instructions, client.result.instructions);
      if (said !== undefined) return said;
    }
    if (result !== undefined && method === 'tools/list' && Array.isArray(result.tools)) {
      if (!Array.isArray(client.result.tools)) return '/result/tools is not a list';
      for (const [index, tool] of client.result.tools.entries()) {
        const found = result.tools.some((each) => this.#value(each, tool, '', setup.isTrusted ? 0 : 1) === undefined);
        if (!found) return `/result/tools/${index} was not sent by the server`;
      }
    }
    return this.#table(server, client, '', 0);
  }

  #instructions(said, shown) {
    const { open, setup } = this.#context;
    const text = typeof said === 'string' ? said : JSON.stringify(said);
    if (setup.mode === 'annotate') {
      const isRaw = shown === '' || shown === text || canonicalJson(said) === canonicalJson(shown);
      return isRaw ? undefined : '/result/instructions changed';
    }
    if (typeof shown !== 'string' || !shown.startsWith(READING_RULES)) return '/result/instructions lacks our rules';
    const rest = shown.slice(READING_RULES.length).replace(/^\n\n/, '');
    if (rest === '' || (setup.isTrusted && rest === text)) return undefined;
    const opened = open(rest);
    if (opened === undefined) return '/result/instructions holds no frame';
    const inner = this.#context.openSaid(text, this.#context.method)?.texts[0] ?? text;
    return isSameText(inner, opened.texts[0], opened.whole) ? undefined : '/result/instructions opens to other text';
  }

  /** Structured content is in its place, tagged or unchanged, or in a block. */
  #structured({ structuredContent: said, content }, shown) {
    const { open, setup } = this.#context;
    if (Object.hasOwn(shown, 'structuredContent')) {
      if (setup.structured === 'keep')
        return canonicalJson(said) === canonicalJson(shown.structuredContent)
          ? undefined
          : '/result/structuredContent changed';
      if (setup.structured === 'typed') return this.#tagged(said, shown.structuredContent, 0);
      return '/result/structuredContent was left in';
    }
    const blocks = Array.isArray(shown.content) ? shown.content : [];
    const texts = new Set(Array.isArray(content) ? content.map((block) => block?.text) : []);
    const unsaid = unsaidIn(said, texts);
    const isSaid = blocks.some((block) => {
      const text = block?.text;
      const opened = typeof text === 'string' ? open(text) : undefined;
      const shownText = opened?.texts[0] ?? text;
      return opened?.whole === false || isSameJson(shownText, said) || isSameJson(shownText, unsaid);
    });
    return isSaid || saysNothing(unsaid) || content === undefined ? undefined : '/result/structuredContent is lost';
  }

  #tagged(said, shown, depth) {
    if (depth > DEEPEST || typeof said !== 'object' || said === null) {
      const inner = typeof shown === 'string' ? (this.#context.fieldIn(shown) ?? shown) : shown;
      // Written anew, so that a number beyond all is null.
      const isSame = inner === said || (inner === null && !Number.isFinite(said)) || recover(`${inner}`) === `${said}`;
      return isSame ? undefined : `/result/structuredContent: ${JSON.stringify(shown)?.slice(0, 80)}`;
    }
    const found = Object.entries(shown ?? {}).filter(([name]) => depth > 0 || name !== '_security_notice');
    const parts = Array.isArray(said) ? [...said.entries()] : Object.entries(said);
    return found.length < parts.length ? '/result/structuredContent lost a member' : undefined;
  }

  #value(said, shown, path, depth) {
    if (depth > DEEPEST) return undefined;
    if (typeof shown === 'string') return this.#text(said, shown, path);
    if (Array.isArray(said) && Array.isArray(shown)) {
      if (said.length > shown.length) return `${path} lost an item`;
      const index = said.findIndex((each, at) => this.#value(each, shown[at], path, depth + 1) !== undefined);
      return index < 0 ? undefined : this.#value(said[index], shown[index], `${path}/${index}`, depth + 1);
    }
    if (isTable(said) && isTable(shown)) return this.#table(said, shown, path, depth);
    return Object.is(said, shown) ? undefined : `${path} changed`;
  }

  #text(said, shown, path) {
    if (said === shown) return undefined;
    const opened = this.#context.open(shown);
    if (opened === undefined) return `${path} changed`;
    const [text] = opened.texts;
    if (this.#context.isUnclear(said)) return undefined;
    if (typeof said !== 'string')
      return !opened.whole || isSameJson(text, said) ? undefined : `${path} opens to other JSON`;
    const raw = this.#context.openSaid(said, this.#context.method)?.texts[0] ?? said;
    return isSameText(raw, text, opened.whole) ? undefined : `${path} opens to something else`;
  }

  #table(said, shown, path, depth) {
    for (const name of Object.keys(said)) {
      const at = `${path}/${name.slice(0, 30)}`;
      const isRoot = depth === 0;
      if (this.#isElsewhere(at, said, name)) continue;
      if (Object.hasOwn(shown, name)) {
        const problem = this.#value(said[name], shown[name], at, depth + 1);
        if (problem !== undefined) return problem;
      } else if (!TAKEN_OUT.has(name) && !(isRoot && !/^[\w.:/-]{1,256}$/.test(name))) return `${at} is lost`;
    }
    const added = Object.keys(shown).find((name) => !Object.hasOwn(said, name) && !OUR_OWN.has(name));
    return added === undefined ? undefined : `${path}/${added} was added`;
  }

  /** What is looked at by itself. */
  #isElsewhere(path, holder, name) {
    const { method, setup } = this.#context;
    if (path === '/result/structuredContent' || name === 'outputSchema' || name.startsWith('sallyport/')) return true;
    if (path === '/result/instructions') return GREETINGS.has(method);
    if (path === '/result/tools') return method === 'tools/list' && Array.isArray(holder.tools);
    // An invalid result keeps its structured content in place of `content`.
    if (path === '/result/content') return !Array.isArray(holder.content) && Object.hasOwn(holder, 'structuredContent');
    return name === '_meta' && !isTable(holder._meta) && (setup.mode === 'annotate' || setup.structured === 'keep');
  }
}
