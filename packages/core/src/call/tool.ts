import { checkOptionNames, SallyportError } from '../base/errors.ts';
import { Declared, type JsonSchema } from '../json/schema.ts';
import { isShape, type Shape } from '../json/shape.ts';
import type { Confidentiality } from '../label/label.ts';
import { checkedName, Source } from '../label/source.ts';
import { EFFECTS, type Effect, isEffect, STRONGEST } from './effect.ts';

export interface ToolDefinition {
  readonly name: string;
  /**
   * The tool answers from operator constants or hard-coded logic, and no outsider can author a byte of it.
   * @default false
   */
  readonly trusted?: boolean;
  /** Whose content the tool carries. @default unknown, with a warning event on every result */
  readonly origin?: 'workspace' | 'retrieved' | 'external';
  /** @default 'private' */
  readonly confidentiality?: Confidentiality;
  /** What a call does to the world. @default 'execute', the strongest */
  readonly effect?: Effect;
  /**
   * Arguments whose text the model is to compose: a subject, a body, a search query. Their wording is judged by nobody; the
   * addresses in them are. @default none
   */
  readonly modelText?: readonly string[];
  /**
   * Names in the tool's JSON results whose values the service itself writes, and in which form: a product's id and price,
   * not its reviews. Such values count as vouched when the call that brought them was made of vouched values alone.
   * @default none
   */
  readonly serviceFields?: Readonly<Record<string, Shape>>;
  /**
   * What the tool gives is put together by a program or a model from what that has read. Where it is not known what that was
   * (`conversation.expect()`), all of it is suspect. @default false
   */
  readonly derived?: boolean;
  /** The JSON Schema of the arguments: the names it declares are nobody's data. @default the names of the top level */
  readonly parameters?: JsonSchema;
}

const NAMES: readonly (keyof ToolDefinition)[] = [
  ...(['name', 'trusted', 'origin', 'confidentiality', 'effect'] as const),
  ...(['modelText', 'serviceFields', 'derived', 'parameters'] as const),
];

function refuse(name: string, message: string): never {
  throw new SallyportError('ERR_INVALID_OPTION', `Tool ${name}: ${message}`);
}

function checkedEffect(name: string, effect: unknown): Effect {
  return isEffect(effect) ? effect : refuse(name, `effect is ${EFFECTS.join(', ')}.`);
}

function checkedModelText(name: string, names: unknown): ReadonlySet<string> {
  if (Array.isArray(names) && names.every((each) => typeof each === 'string')) return new Set(names);
  return refuse(name, "`modelText` must be a list of argument names, such as ['subject', 'body'].");
}

function checkedServiceFields(name: string, fields: unknown): ReadonlyMap<string, Shape> {
  const isTable = typeof fields === 'object' && fields !== null && Object.values(fields).every(isShape);
  return isTable
    ? new Map(Object.entries(fields as Readonly<Record<string, Shape>>))
    : refuse(name, "`serviceFields` must give each name a shape, such as { product_id: 'code', price: 'number' }.");
}

/**
 * A tool with its trust on its own definition. There is no list of trusted names anywhere: lists drift, renames break
 * them silently, and a typo fails open.
 */
export class Tool {
  readonly #made = true;
  readonly type = 'tool';
  readonly name: string;
  readonly source: Source;
  readonly effect: Effect;
  readonly modelText: ReadonlySet<string>;
  readonly serviceFields: ReadonlyMap<string, Shape>;
  readonly isDerived: boolean;
  /** What the developer says about the arguments; undefined where he did not. */
  readonly parameters: Declared | undefined;

  constructor(definition: ToolDefinition) {
    const { name, trusted = false, origin, confidentiality = 'private' } = definition;
    checkOptionNames(definition, NAMES, `Tool ${name}`);
    if (trusted && origin !== undefined)
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `Tool ${name}: say either trusted or an origin. A courier of other people's content is not trusted.`,
      );
    if (typeof trusted !== 'boolean')
      throw new SallyportError('ERR_INVALID_OPTION', `Tool ${name}: trusted is true or false.`);
    if (origin !== undefined && !['workspace', 'retrieved', 'external'].includes(origin))
      throw new SallyportError('ERR_INVALID_LABEL', `Tool ${name}: origin is workspace, retrieved or external.`);
    this.name = checkedName(name) ?? '';
    if (this.name === '') throw new SallyportError('ERR_INVALID_NAME', 'A tool needs a name.');
    this.source = new Source(trusted ? 'system' : (origin ?? 'unknown'), { name: this.name, confidentiality });
    this.effect = checkedEffect(name, definition.effect ?? STRONGEST);
    this.modelText = checkedModelText(name, definition.modelText ?? []);
    this.serviceFields = checkedServiceFields(name, definition.serviceFields ?? {});
    this.isDerived = definition.derived === true;
    this.parameters = definition.parameters === undefined ? undefined : Declared.by(definition.parameters);
    Object.freeze(this);
  }

  static is(value: unknown): value is Tool {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

/** Where a definition is found by its name. */
export interface ToolRegistry {
  get(name: string): Tool | undefined;
}

export function defineTool(definition: ToolDefinition): Tool {
  return new Tool(definition);
}
