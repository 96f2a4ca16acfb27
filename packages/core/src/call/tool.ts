import { checkOptionNames, describeValue, refuse, SallyportError } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import { Declared } from '../json/schema.ts';
import { isShape, type Shape } from '../json/shape.ts';
import type { Confidentiality } from '../label/label.ts';
import { checkedName, Source } from '../label/source.ts';
import { EFFECTS, type Effect, isEffect, STRONGEST } from './effect.ts';
import { type ArgumentName, jsonSchemaOf, type ToolParameters } from './parameters.ts';
import { isRole, ROLES, type Role } from './role.ts';
import { checkChanges, type TableChanges } from './table-changes.ts';

/** Who wrote the description of a tool, and the prose of its schema. */
export type DescribedBy = 'application' | 'server';

/**
 * What a tool returns and what it does. With `parameters`, only the names of arguments that they declare are accepted.
 *
 * @example
 * ```ts
 * const definition: ToolDefinition = { name: 'fetch_page', origin: 'external', effect: 'read' };
 * ```
 */
export interface ToolDefinition<Parameters extends ToolParameters = ToolParameters> {
  /** The name by which the model calls the tool. */
  readonly name: string;
  /**
   * What the tool does, in your own words, for the judge. Do not copy it from a server: its author could tell the judge what the user
   * wants. @default none: the name and the effect say it
   */
  readonly description?: string;
  /**
   * Who wrote the tool's description and the prose of its schema. What a server wrote is content: adapters show it to the model in a
   * frame, and its words vouch for nothing. @default 'application'; 'server' where an adapter recognises a tool of an MCP client
   */
  readonly describedBy?: DescribedBy;
  /**
   * Results come only from operator constants or fixed logic, so that no outsider can write any part of them.
   * @default false
   */
  readonly trusted?: boolean;
  /** Where the content in the tool's results comes from. @default unknown, with a `source-unknown` event on every result */
  readonly origin?: 'workspace' | 'retrieved' | 'external';
  /** How confidential the tool's results are. @default 'private' */
  readonly confidentiality?: Confidentiality;
  /** What a call does. @default 'execute', the strongest */
  readonly effect?: Effect;
  /**
   * The arguments whose text the model composes: a subject, a body, a search query. Their wording is not checked; the addresses
   * in them are. @default none
   */
  readonly modelText?: readonly ArgumentName<Parameters>[];
  /** What arguments are for. @default from their names and the form of their values, the stricter reading */
  readonly roles?: { readonly [name in ArgumentName<Parameters>]?: Role };
  /** Cells of the gate's table that differ for this tool. @default none */
  readonly table?: TableChanges;
  /**
   * The fields of the tool's JSON results that the service itself writes, with the shape of their values: a product's id and
   * price, not its reviews. Each is a JSON pointer in which `*` means every item of a list. Such
   * values count as vouched if all values of the call that returned them were vouched for. What is used as a recipient, an address
   * or a command never does: its owner chose it. @default none
   */
  readonly serviceFields?: Readonly<Record<string, Shape>>;
  /**
   * A program or a model makes the tool's results from what it has read. If what it has read is not declared with
   * `conversation.declareDerivation()`, the whole result is suspect. @default false
   */
  readonly derived?: boolean;
  /**
   * The schema of the arguments: a JSON Schema, or a schema of a library that can be converted to one, such as Zod. Names and
   * values that it declares are the developer's, not data. @default none: plain names at the top level are the developer's
   */
  readonly parameters?: Parameters;
}

/**
 * What is declared about a tool whose name and schema are known from where the tool is defined. `Name` is the name of an argument.
 *
 * @example
 * ```ts
 * const declaration: ToolDeclaration = { effect: 'send', modelText: ['body'] };
 * ```
 */
export interface ToolDeclaration<Name extends string = string>
  extends Omit<ToolDefinition, 'name' | 'parameters' | 'effect' | 'modelText' | 'roles'> {
  /** What a call does. */
  readonly effect: Effect;
  /** The arguments whose text the model composes, such as a subject or a body. @default none */
  readonly modelText?: readonly Name[];
  /** What arguments are for. @default from their names and the form of their values, the stricter reading */
  readonly roles?: { readonly [name in Name]?: Role };
}

const NAMES: readonly (keyof ToolDefinition)[] = [
  ...(['name', 'description', 'describedBy', 'trusted', 'origin', 'confidentiality', 'effect'] as const),
  ...(['modelText', 'roles', 'table', 'serviceFields', 'derived', 'parameters'] as const),
];

function wrong(tool: string, option: string, must: string, received: unknown): never {
  return refuse(`Tool ${tool}: \`${option}\` must ${must}; received ${describeValue(received)}.`);
}

function checkedModelText(name: string, names: unknown): ReadonlySet<string> {
  if (Array.isArray(names) && names.every((each) => typeof each === 'string')) return new Set(names);
  return wrong(name, 'modelText', "be an array of argument names, such as ['subject', 'body']", names);
}

function checkedRoles(name: string, roles: unknown): ReadonlyMap<string, Role> {
  const isTable = typeof roles === 'object' && roles !== null && Object.values(roles).every(isRole);
  if (isTable) return new Map(Object.entries(roles as Readonly<Record<string, Role>>));
  return wrong(name, 'roles', `give each argument one of ${ROLES.join(', ')}`, roles);
}

function checkedServiceFields(name: string, fields: unknown): ReadonlyMap<string, Shape> {
  const isTable =
    typeof fields === 'object' &&
    fields !== null &&
    Object.entries(fields).every(([pointer, shape]) => pointer.startsWith('/') && isShape(shape));
  if (isTable) return new Map(Object.entries(fields as Readonly<Record<string, Shape>>));
  return refuse(
    `Tool ${name}: \`serviceFields\` must give each JSON pointer a shape, such as { '/items/*/price': 'number' }.`,
  );
}

function checkWords(name: string, { description, describedBy }: ToolDefinition): void {
  if (description !== undefined && (typeof description !== 'string' || description.trim() === ''))
    wrong(name, 'description', 'be a text that is not empty', description);
  if (describedBy !== undefined && describedBy !== 'application' && describedBy !== 'server')
    wrong(name, 'describedBy', "be 'application' or 'server', who wrote its description", describedBy);
}

/** Whose content the results hold: fixed text of the operator, or that of others. */
function checkOrigin(name: string, trusted: unknown, origin: unknown): void {
  if (trusted && origin !== undefined)
    refuse(
      `Tool ${name}: give either \`trusted\` or \`origin\`, not both. A tool that returns other people's content is not trusted.`,
    );
  if (typeof trusted !== 'boolean') wrong(name, 'trusted', 'be true or false', trusted);
  if (origin !== undefined && !['workspace', 'retrieved', 'external'].includes(origin as string))
    throw new SallyportError(
      'ERR_INVALID_LABEL',
      `Tool ${name}: \`origin\` must be 'workspace', 'retrieved' or 'external'; received ${describeValue(origin)}.`,
    );
}

/** Refuses names of arguments that the tool's schema does not declare: a misspelt one would have no effect. */
function checkArguments({ name, modelText, roles, parameters }: Tool): void {
  const declared = parameters?.names ?? [];
  if (declared.length === 0) return;
  for (const [option, names] of Object.entries({ modelText, roles: roles.keys() })) {
    const unknown = [...names].find((each) => !declared.includes(each));
    if (unknown !== undefined)
      refuse(
        `Tool ${name}: \`${option}\` names ${describeValue(unknown)}, which its schema does not declare. Did you mean ${nearestOf(unknown, declared)}?`,
      );
  }
}

/**
 * A declared tool. Trust is part of the definition, not of a list of trusted names: lists get out of date, a rename breaks them
 * silently, and a typo fails open. `defineTool()` makes one.
 *
 * @example
 * ```ts
 * const tools: Tool[] = [defineTool({ name: 'fetch_page', origin: 'external', effect: 'read' })];
 * ```
 */
export class Tool {
  readonly #made = true;
  readonly type = 'tool';
  readonly name: string;
  readonly description: string | undefined;
  /** Undefined if the definition does not say it. */
  readonly describedBy: DescribedBy | undefined;
  readonly source: Source;
  readonly effect: Effect;
  readonly modelText: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly table: TableChanges | undefined;
  readonly serviceFields: ReadonlyMap<string, Shape>;
  readonly isDerived: boolean;
  /** The declared schema of the arguments; undefined if there is none. */
  readonly parameters: Declared | undefined;

  constructor(definition: ToolDefinition) {
    const { name, trusted = false, origin, confidentiality = 'private' } = definition;
    checkOptionNames(definition, NAMES, `Tool ${name}`);
    checkOrigin(name, trusted, origin);
    this.name = checkedName(name) ?? '';
    if (this.name === '') throw new SallyportError('ERR_INVALID_NAME', '`name` of a tool must be a non-empty string.');
    checkWords(name, definition);
    this.description = definition.description;
    this.describedBy = definition.describedBy;
    this.source = new Source(trusted ? 'system' : (origin ?? 'unknown'), { name: this.name, confidentiality });
    this.effect = definition.effect ?? STRONGEST;
    if (!isEffect(this.effect)) wrong(name, 'effect', `be one of ${EFFECTS.join(', ')}`, this.effect);
    this.modelText = checkedModelText(name, definition.modelText ?? []);
    this.roles = checkedRoles(name, definition.roles ?? {});
    this.table = definition.table === undefined ? undefined : checkChanges(definition.table, `Tool ${name}: \`table\``);
    this.serviceFields = checkedServiceFields(name, definition.serviceFields ?? {});
    this.isDerived = definition.derived === true;
    const { parameters } = definition;
    this.parameters = parameters === undefined ? undefined : Declared.by(jsonSchemaOf(parameters, name));
    checkArguments(this);
    Object.freeze(this);
  }

  static is(value: unknown): value is Tool {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

/** Everything that a tool's definition says about trust, as plain JSON, to compare two of them. */
export function describeTool({ source, modelText, roles, serviceFields, ...tool }: Tool): object {
  const { effect, table = null, isDerived, describedBy = null } = tool;
  return {
    ...{ effect, table, isDerived, describedBy },
    ...{ origin: source.origin, confidentiality: source.confidentiality },
    modelText: [...modelText].sort(),
    roles: Object.fromEntries(roles),
    serviceFields: Object.fromEntries(serviceFields),
  };
}

/** Finds a tool's definition by its name, such as a `Map`. */
export interface ToolRegistry {
  get(name: string): Tool | undefined;
  /** All tools, to say what a misspelt name may mean. @default none */
  values?(): Iterable<Tool>;
}

/**
 * Declares a tool: where its results come from, and what its calls do.
 *
 * @example
 * ```ts
 * const readMail = defineTool({ name: 'read_mail', origin: 'external', effect: 'read' });
 * const sendMail = defineTool({ name: 'send_mail', effect: 'send', modelText: ['subject', 'body'] });
 * const boundary = createBoundary({ tools: [readMail, sendMail] });
 * ```
 */
export function defineTool<const Parameters extends ToolParameters = ToolParameters>(
  definition: ToolDefinition<Parameters>,
): Tool {
  return new Tool(definition as ToolDefinition);
}
