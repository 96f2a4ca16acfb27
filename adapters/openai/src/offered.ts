import {
  type Fields,
  fieldsOf,
  isFields,
  type JsonSchema,
  listOf,
  type OfferedTool,
  stringOf,
  type ToolDescriptions,
} from '@sallyport/core/adapter';

/** The part of a tool that the API is sent: a function of a `ResponsesToolRunner` keeps it next to its callback. */
function declaredPart(tool: Fields): Fields {
  return isFields(tool.tool) ? tool.tool : tool;
}

/** The tools in a list, with those of a namespace one by one. */
function flatTools(tools: unknown): readonly Fields[] {
  const all = listOf(tools).filter(isFields).map(declaredPart);
  return all.flatMap((tool) => (tool.type === 'namespace' ? listOf(tool.tools).filter(isFields) : [tool]));
}

/** Chat completions wrap a definition in an object; responses do not. */
function definitionOf(tool: Fields): Fields {
  return [tool.function, tool.custom].find(isFields) ?? tool;
}

/** Versions of a built-in tool have one name. A server of hosted tools has its label. */
function builtInName({ type, server_label }: Fields): string {
  const text = String(type);
  if (text === 'mcp') return String(server_label);
  if (text === 'programmatic_tool_calling') return 'program';
  return /^(?:web_search|computer)/.exec(text)?.[0] ?? text;
}

/** The name under which a tool is declared. */
export function nameOf(tool: object): string {
  const part = declaredPart(tool as Fields);
  const { name, function: callback } = definitionOf(part);
  // Without a name, the SDK uses the name of the function itself.
  const own = name || (typeof callback === 'function' ? callback.name : undefined);
  return typeof own === 'string' ? own : builtInName(part);
}

/** The names of tools. A request may offer them, and no others. */
export function namesOf(tools: unknown): ReadonlySet<string> {
  return new Set(flatTools(tools).map(nameOf));
}

// The tools of a hosted server are unknown here, and a picture is the model's own.
const NOT_DECLARED: ReadonlySet<unknown> = new Set(['mcp', 'image_generation']);

/** The tools that have to be declared. */
export function toDeclare(tools: readonly object[]): readonly OfferedTool[] {
  const own = flatTools(tools).filter(({ type }) => !NOT_DECLARED.has(type));
  return own.map((tool) => {
    const { description, parameters } = definitionOf(tool);
    return {
      name: nameOf(tool),
      description: stringOf(description),
      parameters: isFields(parameters) ? (parameters as JsonSchema) : undefined,
    };
  });
}

/** Refuses a request that offers the model a tool that was not protected: its calls would run without a check. */
export function checkOffered(body: Fields, names: ReadonlySet<string>): void {
  const added = listOf(body.input).filter(isAdding);
  for (const tools of [body.tools, body.functions, ...added.map((item) => item.tools)])
    for (const name of namesOf(tools))
      if (!names.has(name))
        throw new Error(
          `The tool ${name} is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns.`,
        );
}

function isAdding(item: unknown): item is Fields {
  return fieldsOf(item).type === 'additional_tools';
}

/** The body of a request with the tools as the model is sent them: what a server says about its tools is framed. */
export async function shownOffers(descriptions: ToolDescriptions, body: Fields): Promise<Fields> {
  const { input } = body;
  const members = ['tools', 'functions'].filter((name) => Array.isArray(body[name]));
  const lists = members.map(async (name) => [name, await descriptions.shown(body[name])] as const);
  const shown = { ...body, ...Object.fromEntries(await Promise.all(lists)) };
  if (!listOf(input).some(isAdding)) return shown;
  const items = listOf(input).map((item) => (isAdding(item) ? descriptions.shown(item) : item));
  return { ...shown, input: await Promise.all(items) };
}
