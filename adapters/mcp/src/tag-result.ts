import { type Fields, fieldsOf, isFields, type JsonSchema, textOrJson } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { FIELD_NOTICE, type TagChoice, type TaggedFields, type TagValue } from '@sallyport/fields';

export interface ResultTaggerOptions {
  /** Tags the values of this response. */
  readonly tag: TagValue;
  /** Pointers to what others wrote; undefined for everything. */
  readonly fields: readonly string[] | undefined;
  /** The output schema of the tool. */
  readonly schema: JsonSchema | undefined;
}

/** The answer in place of a result that cannot be tagged within its limits and still fit its schema. */
const WITHHELD = Object.freeze({
  content: [{ type: 'text', text: 'The result was not sent: it is too large or too deeply nested to be tagged.' }],
  isError: true,
});

function mapList(value: unknown, change: (item: Fields, index: number) => Fields): unknown {
  return Array.isArray(value) ? value.map((item, index) => (isFields(item) ? change(item, index) : item)) : value;
}

/** Checks that a pointer names this path or an ancestor of it. */
function isCovered(pointers: readonly string[], path: readonly string[]): boolean {
  return pointers.some((pointer) => {
    const segments = pointer.split('/').slice(1);
    return segments.length <= path.length && segments.every((each, at) => each === '*' || each === path[at]);
  });
}

/** Tags one result of a server: the texts that a model reads, wherever the protocol puts them. */
export class ResultTagger {
  readonly #options: ResultTaggerOptions;
  #hasNotice = false;
  #count = 0;
  #isWithheld = false;

  constructor(options: ResultTaggerOptions) {
    this.#options = options;
  }

  /** How many texts and names were tagged. */
  get count(): number {
    return this.#count;
  }

  get isWithheld(): boolean {
    return this.#isWithheld;
  }

  /** The result of a tool call. */
  tool(result: Fields): Fields {
    if (this.#isOwn) return result;
    const content = mapList(result.content, (block) => this.#block(block));
    if (result.structuredContent === undefined) return this.#noticed({ ...result, content });
    const mode = this.#options.schema === undefined ? 'tag' : 'typed';
    const tagged = this.#tag(result.structuredContent, { ...this.#declared, mode });
    if (tagged.type === 'tagged') return this.#noticed({ ...result, content, structuredContent: tagged.value });
    this.#isWithheld = true;
    const { structuredContent: _, ...rest } = result;
    return { ...rest, ...WITHHELD };
  }

  /** The result of `resources/read`. */
  resource(result: Fields): Fields {
    return this.#isOwn ? result : { ...result, contents: mapList(result.contents, (each) => this.#resource(each)) };
  }

  /** The result of `prompts/get`. Its pointers start at the result: `/messages/1`. */
  prompt(result: Fields): Fields {
    const { description } = result;
    const messages = mapList(result.messages, (message, index) => {
      const isOthers = this.#covers(['messages', String(index), 'content', 'text']);
      return isOthers ? { ...message, content: this.#block(fieldsOf(message.content)) } : message;
    });
    const isOthers = typeof description === 'string' && this.#covers(['description']);
    return { ...result, messages, ...(isOthers ? { description: this.#bare(description) } : {}) };
  }

  /** Set if the application declared that none of it was written by others. */
  get #isOwn(): boolean {
    return this.#options.fields?.length === 0;
  }

  #covers(path: readonly string[]): boolean {
    return this.#options.fields === undefined || isCovered(this.#options.fields, path);
  }

  #tag(value: unknown, choice: TagChoice): TaggedFields {
    const tagged = this.#options.tag(value, choice);
    if (tagged.type === 'tagged') this.#count += tagged.count;
    return tagged;
  }

  /** The declaration of the value: where others wrote, and the fields of its schema. */
  get #declared(): TagChoice {
    const { fields, schema } = this.#options;
    return { ...(fields === undefined ? {} : { fields }), ...(schema === undefined ? {} : { schema }) };
  }

  /** A text in tags, without a notice. */
  #bare(text: string): string {
    const tagged = this.#tag(text, {});
    return tagged.type === 'tagged' ? String(fieldsOf(tagged.value).value) : '';
  }

  /** JSON is tagged field by field; other text as a whole, whatever the pointers say: they cannot point into it. */
  #text(text: string): string {
    const part = textOrJson({ type: 'text', text });
    const tagged = part.type === 'json' ? this.#tag(parseJson(part.text), this.#declared) : undefined;
    if (tagged?.type === 'tagged') return JSON.stringify(tagged.value);
    const notice = this.#hasNotice ? '' : `${FIELD_NOTICE}\n`;
    this.#hasNotice = true;
    return notice + this.#bare(text);
  }

  #resource(resource: Fields): Fields {
    return typeof resource.text === 'string' ? { ...resource, text: this.#text(resource.text) } : resource;
  }

  #block(block: Fields): Fields {
    if (block.type === 'resource') return { ...block, resource: this.#resource(fieldsOf(block.resource)) };
    if (block.type === 'resource_link') return this.#link(block);
    return typeof block.text === 'string' ? { ...block, text: this.#text(block.text) } : block;
  }

  /** The words of a link. Its address stays as it is, since clients read it. */
  #link(block: Fields): Fields {
    const words = ['name', 'title', 'description'].flatMap((name) => {
      const value = block[name];
      return typeof value === 'string' ? [[name, this.#bare(value)]] : [];
    });
    return { ...block, ...Object.fromEntries(words) };
  }

  /** Links have no room for the notice, so it comes first. */
  #noticed(result: Fields): Fields {
    const { content } = result;
    const isMissing =
      Array.isArray(content) && !this.#hasNotice && content.some(({ type }) => type === 'resource_link');
    return isMissing ? { ...result, content: [{ type: 'text', text: FIELD_NOTICE }, ...content] } : result;
  }
}
