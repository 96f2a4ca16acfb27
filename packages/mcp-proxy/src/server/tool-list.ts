import { canonicalJson, type JsonSchema } from '@sallyport/core/adapter';
import {
  type JsonMember,
  type JsonNode,
  memberNamed,
  memberOf,
  readValue,
  stringAt,
  within,
} from '@sallyport/core/json';
import type { FrameKey } from '@sallyport/core/stages';
import type { Cover } from '../content/cover.ts';
import type { Comparison, Definition, Held } from '../content/pin.ts';
import { isPlain } from '../content/plain-strings.ts';
import { type Structured, widened } from '../content/structured-content.ts';
import { readExactly } from '../json/exact.ts';

export interface ListingOptions {
  /** The user has marked this server: its definitions are shown as they are, and its hints count. */
  readonly isTrusted: boolean;
  readonly structured: Structured;
  /** Texts get frames, and what cannot have one is taken out. */
  readonly isFraming: boolean;
  readonly key: FrameKey;
}

/** What became of the tools of one page. */
export interface Listing {
  readonly shown: readonly Definition[];
  /** Those of them that nobody had seen before. */
  readonly fresh: readonly Definition[];
  readonly held: readonly Held[];
}

/** Hints that make a call look harmless. Clients must not believe them of a server that nobody trusts, and some do. */
const WEAK_HINTS: Readonly<Record<string, boolean>> = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

function isDefinition(value: unknown): value is Definition & { readonly name: string } {
  return typeof value === 'object' && value !== null && typeof (value as Definition).name === 'string';
}

/** A name stands bare wherever it stands, and a client needs it as it is. */
function isNamedPlainly(node: JsonNode | undefined): boolean {
  const nodes = node === undefined ? [] : [...within(node)];
  return nodes.every(({ members }) => members.every(({ name }) => name === undefined || isPlain(name)));
}

/** A schema for clients alone: nothing in it says anything. undefined where the values that it declares do. */
function silent(schema: JsonSchema): JsonSchema | undefined {
  const quiet: JsonSchema = JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      ['description', 'title', '$comment', 'examples', 'default'].includes(name) && typeof value !== 'object'
        ? undefined
        : value,
    ),
  );
  let isSilent = true;
  JSON.stringify(quiet, (name, value: unknown) => {
    if (!isPlain(name) || (typeof value === 'string' && !isPlain(value))) isSilent = false;
    return value;
  });
  return isSilent ? quiet : undefined;
}

/** The output schema under which `typed` results are checked; undefined where they go as text. */
export function typedSchemaOf({ outputSchema }: Definition, key: FrameKey): JsonSchema | undefined {
  if (typeof outputSchema !== 'object' || outputSchema === null) return undefined;
  const wide = widened(outputSchema as JsonSchema, key);
  return wide === undefined ? undefined : silent(wide);
}

function removeWeakHints(cover: Cover, tool: JsonNode): void {
  const annotations = memberOf(tool, 'annotations');
  if (annotations?.type !== 'object') return;
  for (const member of annotations.members) {
    const { name = '', value } = member;
    // Some clients take 1 for true, and null for false.
    const isWeak = Object.hasOwn(WEAK_HINTS, name) && readValue(cover.json.text, value) !== !WEAK_HINTS[name];
    if (isWeak) cover.edits.remove(annotations, member);
  }
}

/** A pattern in a frame would be another pattern; without it a schema allows more, and the server checks by itself. */
function removePatterns(cover: Cover, schema: JsonNode | undefined): void {
  for (const node of schema === undefined ? [] : within(schema)) {
    const pattern = memberNamed(node, 'pattern');
    if (pattern?.value.type === 'string' && !isPlain(stringAt(cover.json.text, pattern.value))) {
      cover.edits.remove(node, pattern);
      cover.skip(pattern.value);
    }
  }
}

/** Raw content fits a schema that is raw: with values or names in frames it would be another. */
function isKept({ outputSchema }: Definition, { isTrusted, isFraming }: ListingOptions): boolean {
  return isTrusted || !isFraming || silent(outputSchema as JsonSchema) !== undefined;
}

function coverOutputSchema(cover: Cover, tool: JsonNode, definition: Definition, options: ListingOptions): void {
  const member = memberNamed(tool, 'outputSchema');
  if (member === undefined || (options.structured === 'keep' && isKept(definition, options))) return;
  cover.skip(member.value);
  const schema = options.structured === 'typed' ? typedSchemaOf(definition, options.key) : undefined;
  if (schema === undefined) cover.edits.remove(tool, member);
  else cover.edits.replace(member.value.start, member.value.end, canonicalJson(schema));
}

function coverTool(cover: Cover, tool: JsonNode, definition: Definition, options: ListingOptions): void {
  coverOutputSchema(cover, tool, definition, options);
  if (options.isTrusted) return;
  removeWeakHints(cover, tool);
  if (options.isFraming) removePatterns(cover, memberOf(tool, 'inputSchema'));
  cover.walk(tool);
}

/** Why a tool cannot be shown to anybody. */
function unreadable(cover: Cover, { value: tool }: JsonMember, definition: unknown): Held | undefined {
  if (!isDefinition(definition)) return { type: 'unreadable', tool: '', reason: 'It has no name.' };
  const { name } = definition;
  if (!isPlain(name)) return { type: 'unreadable', tool: name, reason: 'Its name says more than a name does.' };
  const schema = memberOf(tool, 'inputSchema');
  const required = memberOf(schema, 'required');
  const names = (required?.members ?? []).map(({ value }) => String(readValue(cover.json.text, value)));
  if (isNamedPlainly(schema) && names.every(isPlain)) return undefined;
  return { type: 'unreadable', tool: name, reason: 'The names of its arguments say more than names do.' };
}

/** Covers the tools of one page. What is to be held is taken out. */
export function coverTools(cover: Cover, tools: JsonNode, compared: Comparison, options: ListingOptions): Listing {
  const shown: Definition[] = [];
  const fresh: Definition[] = [];
  const held: Held[] = [];
  for (const member of tools.members) {
    const definition = readExactly(cover.json.text, member.value) as Definition & { readonly name: string };
    const why = unreadable(cover, member, definition) ?? compared.heldFor(definition.name, definition);
    if (why !== undefined) {
      held.push(why);
      cover.edits.remove(tools, member);
    } else {
      shown.push(definition);
      if (!compared.isPinned(definition.name)) fresh.push(definition);
      coverTool(cover, member.value, definition, options);
    }
    cover.skip(member.value);
  }
  return { shown, fresh, held };
}
