import { BoundedMap } from '../base/bounded-map.ts';
import { describeValue, refuse } from '../base/errors.ts';
import { jsonSchemaOf, type ToolParameters } from '../call/parameters.ts';
import type { DescribedBy } from '../call/tool.ts';
import type { ContentInput } from '../conversation/admit.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { idOfContent } from '../conversation/turn.ts';
import { type Fields, isFields } from '../json/fields.ts';
import { withoutProse } from '../json/without-prose.ts';
import { source } from '../label/source.ts';
import type { Recorded } from '../record/record.ts';
import { isPlain } from '../text/plain-strings.ts';

/** A tool as a framework knows it. */
export interface OfferedTool {
  readonly name: string;
  /** What the model is told about it. @default none */
  readonly description?: string | undefined;
  /** The schema of its arguments. @default none */
  readonly parameters?: ToolParameters | undefined;
  /** Who wrote its description, if the declaration does not say it: 'server' for a tool of an MCP client. @default 'application' */
  readonly describedBy?: DescribedBy | undefined;
}

interface Described {
  readonly plain: Fields;
  /** Its prose; undefined if it has none. */
  readonly prose: ContentInput | undefined;
  /** The values in what is left, which the model reads unframed; undefined if there are none. */
  readonly values: ContentInput | undefined;
}

/** A definition in a request. */
interface Read {
  /** The definition without prose, in the order of its members. */
  readonly plain: Fields;
  /** Its prose; undefined if it has none. */
  readonly recorded: Recorded | undefined;
  /** The values in what is left; undefined if there are none. */
  readonly used: Recorded | undefined;
}

const MAX_NAME = 200;
const MAX_DEFINITIONS = 1000;

/** Members that contain definitions of tools, in the formats of providers. */
const CONTAINERS: readonly string[] = [
  ...['function', 'custom', 'tool', 'definition', 'toolSpec'],
  ...['functionDeclarations', 'function_declarations', 'tools'],
];

/** The source has no tool's name: content with one counts as a result of that tool. */
function inputOf(name: string, kind: 'tool' | 'schema', text: string): ContentInput | undefined {
  if (text === '') return undefined;
  const from = source('external', { name: `${name.slice(0, MAX_NAME)} description`, confidentiality: 'public' });
  return { id: idOfContent(kind, JSON.stringify([name, text])), source: from, content: text };
}

/** Splits the definition of a tool into its prose and the rest. */
function describe(name: string, definition: Fields): Described {
  const advice = "Rename it at the server, or set `describedBy: 'application'` if you have read all of the definition.";
  if (!isPlain(name))
    refuse(`The name of the tool ${describeValue(name)}, which a server describes, is prose. ${advice}`);
  const { plain, prose, values, proseName } = withoutProse(definition);
  if (proseName !== undefined)
    refuse(
      `The tool ${name}, which a server describes, has the argument ${describeValue(proseName)}, which is prose. ${advice}`,
    );
  return { plain, prose: inputOf(name, 'tool', prose), values: inputOf(name, 'schema', values) };
}

/**
 * The descriptions of tools that a server wrote. They are content: a model is sent a frame in place of the description, and a schema
 * without prose.
 *
 * @example
 * ```ts
 * const descriptions = wireTools(conversation, offered, declare);
 * const body = { ...given, tools: await descriptions.shown(given.tools) };
 * ```
 */
export class ToolDescriptions {
  readonly #conversation: Conversation;
  readonly #names = new Set<string>();
  // By name and definition: a request contains all definitions, and they rarely change.
  readonly #known = new BoundedMap<string, Read>(MAX_DEFINITIONS);

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Adds a tool. If a server describes it, models read its description before the messages. */
  add({ name, description, parameters, describedBy }: OfferedTool): void {
    if ((this.#conversation.tools.get(name)?.describedBy ?? describedBy) !== 'server') return;
    const schema = parameters === undefined ? undefined : jsonSchemaOf(parameters, name);
    const { prose, values } = describe(name, { description, schema });
    this.#names.add(name);
    for (const input of [prose, values]) if (input !== undefined) this.#conversation.addContentAhead(input);
  }

  /** True if a server describes the tool of this name. */
  has(name: string): boolean {
    const describedBy = this.#conversation.tools.get(name)?.describedBy;
    return describedBy === 'server' || (describedBy === undefined && this.#names.has(name));
  }

  /**
   * The tools of a request as the model is sent them, in the format of any provider. The given ones are not changed; a description
   * that the server has changed is new content. `nameOf` says under which name a definition was declared.
   */
  async shown<Tools>(tools: Tools, nameOf: (definition: Fields) => unknown = ({ name }) => name): Promise<Tools> {
    return (await this.#shown(tools, nameOf)) as Tools;
  }

  /** The same value if nothing in it is described by a server. */
  async #shown(given: unknown, nameOf: (definition: Fields) => unknown): Promise<unknown> {
    if (Array.isArray(given)) {
      const items = await Promise.all(given.map((each) => this.#shown(each, nameOf)));
      return items.every((item, at) => item === given[at]) ? given : items;
    }
    if (!isFields(given)) return given;
    const name = typeof given.name === 'string' ? nameOf(given) : undefined;
    if (typeof name === 'string' && this.has(name)) return this.#framed(name, given);
    const members = CONTAINERS.filter((each) => typeof given[each] === 'object');
    const shown = await Promise.all(members.map((each) => this.#shown(given[each], nameOf)));
    const changed = members.flatMap((each, at) => (shown[at] === given[each] ? [] : [[each, shown[at]] as const]));
    return changed.length === 0 ? given : { ...given, ...Object.fromEntries(changed) };
  }

  async #framed(name: string, definition: Fields): Promise<Fields> {
    const { plain, recorded, used } = this.#read(name, definition);
    // The model reads these values where they are: they count as shown, and their frame is not used.
    if (used !== undefined) await this.#conversation.frame(used);
    if (recorded === undefined) return plain;
    const { text } = await this.#conversation.frame(recorded);
    return { ...plain, description: text };
  }

  #read(name: string, definition: Fields): Read {
    const key = JSON.stringify([name, definition]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { name: own, ...rest } = definition;
    const { plain, prose, values } = describe(name, rest);
    const recorded = prose === undefined ? undefined : this.#conversation.addContent(prose);
    const used = values === undefined ? undefined : this.#conversation.addContent(values);
    const kept: Fields = { name: own, ...(recorded === undefined ? {} : { description: '' }), ...plain };
    // In the order of the given members, and a description that was not given at the end.
    const members = Object.keys({ ...definition, ...kept }).filter((each) => each in kept);
    const read = { plain: Object.fromEntries(members.map((each) => [each, kept[each]])), recorded, used };
    this.#known.set(key, read);
    return read;
  }
}

/**
 * The descriptions of the tools that your own loop offers to a model. Adapters get them from `wireTools()`.
 *
 * @example
 * ```ts
 * const descriptions = toolDescriptions(conversation);
 * for (const { name, description, inputSchema } of listed)
 *   descriptions.add({ name, description, parameters: inputSchema, describedBy: 'server' });
 * ```
 */
export function toolDescriptions(conversation: Conversation): ToolDescriptions {
  return new ToolDescriptions(conversation);
}
