import { canonicalJson, isFields, isPlain, type JsonSchema, withoutProse } from '@sallyport/core/adapter';
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
import { type Comparison, type Definition, definitionDigest, type Held } from '../content/pin.ts';
import { type Structured, widened } from '../content/structured-content.ts';
import { readExactly } from '../json/exact.ts';

export interface ListingOptions {
  /** Set for a trusted server: its definitions are shown unframed, and its hints count. */
  readonly trusted: boolean;
  readonly structured: Structured;
  /** Set when texts are framed, and removed if they cannot be. */
  readonly isFraming: boolean;
  readonly key: FrameKey;
  /** The description that replaces a changed definition. @default none: the tool is not listed */
  readonly heldNote?: ((tool: string) => string) | undefined;
  /** Decides if a tool is offered to the client. */
  readonly isOffered: (tool: string) => boolean;
  /** Checks the prose of a definition that is not accepted yet. */
  readonly isClean: (texts: readonly string[]) => Promise<boolean>;
}

/** The tools of one page of a listing. */
export interface Listing {
  /** The names of all tools of the page. */
  readonly names: readonly string[];
  readonly shown: readonly Definition[];
  /** The shown tools that have no pin yet. */
  readonly added: readonly Definition[];
  /** The digests of the definitions that are accepted by this listing. */
  readonly accepted: ReadonlyMap<string, string>;
  /** The shown definitions that clients see unchanged. */
  readonly unframed: readonly Definition[];
  readonly held: readonly Held[];
}

/** Hints that make a call look harmless. Clients must not believe those of an untrusted server, but some do. */
const WEAK_HINTS: Readonly<Record<string, boolean>> = {
  readOnlyHint: true,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

function isDefinition(value: unknown): value is Definition & { readonly name: string } {
  return typeof value === 'object' && value !== null && typeof (value as Definition).name === 'string';
}

/** Checks that all names are plain. A name cannot be framed, because clients need it unchanged. */
function isNamedPlainly(node: JsonNode | undefined): boolean {
  const nodes = node === undefined ? [] : [...within(node)];
  return nodes.every(({ members }) => members.every(({ name }) => name === undefined || isPlain(name)));
}

/** A schema without prose, for clients only. Undefined if the names or values that it declares are prose. */
function plainSchema(schema: unknown): JsonSchema | undefined {
  if (!isFields(schema)) return schema as JsonSchema;
  const { plain, isWhole } = withoutProse(schema);
  return isWhole ? plain : undefined;
}

/** The output schema of `typed` results. Undefined if they are sent as text. */
export function typedSchemaOf({ outputSchema }: Definition, key: FrameKey): JsonSchema | undefined {
  if (typeof outputSchema !== 'object' || outputSchema === null) return undefined;
  const wide = widened(outputSchema as JsonSchema, key);
  return wide === undefined ? undefined : plainSchema(wide);
}

function removeWeakHints(cover: Cover, tool: JsonNode): void {
  const annotations = memberOf(tool, 'annotations');
  if (annotations?.type !== 'object') return;
  for (const member of annotations.members) {
    const { name = '', value } = member;
    // Some clients read 1 as true and null as false.
    const isWeak = Object.hasOwn(WEAK_HINTS, name) && readValue(cover.json.text, value) !== !WEAK_HINTS[name];
    if (isWeak) cover.edits.remove(annotations, member);
  }
}

/**
 * Removes patterns that are not plain. A framed pattern would be a different one. Without it the schema allows more,
 * and the server still checks.
 */
function removePatterns(cover: Cover, schema: JsonNode | undefined): void {
  for (const node of schema === undefined ? [] : within(schema)) {
    const pattern = memberNamed(node, 'pattern');
    if (pattern?.value.type === 'string' && !isPlain(stringAt(cover.json.text, pattern.value))) {
      cover.edits.remove(node, pattern);
      cover.skip(pattern.value);
    }
  }
}

/** A tool of a listing while it is covered. */
interface ListedTool {
  readonly node: JsonNode;
  readonly definition: Definition;
  /** Set when the tool is shown unchanged: the server is trusted, or this definition is accepted. */
  readonly isAccepted: boolean;
}

/** Decides if the output schema stays unchanged. Unframed content needs the unframed schema. */
function keepsSchema({ definition, isAccepted }: ListedTool, { isFraming }: ListingOptions): boolean {
  return isAccepted || !isFraming || plainSchema(definition.outputSchema) !== undefined;
}

/** The schema that results fit; undefined if they have no structured content. */
function shownSchema({ definition, isAccepted }: ListedTool, { structured, key }: ListingOptions): unknown {
  const plain = structured === 'typed' ? typedSchemaOf(definition, key) : undefined;
  return plain !== undefined && isAccepted ? widened(definition.outputSchema as JsonSchema, key) : plain;
}

function coverOutputSchema(cover: Cover, tool: ListedTool, options: ListingOptions): void {
  const member = memberNamed(tool.node, 'outputSchema');
  if (member === undefined || (options.structured === 'keep' && keepsSchema(tool, options))) return;
  const schema = shownSchema(tool, options);
  if (schema === undefined) cover.edits.remove(tool.node, member);
  else cover.edits.replace(member.value.start, member.value.end, canonicalJson(schema));
  if (schema === undefined || !tool.isAccepted) cover.skip(member.value);
}

/**
 * Frames the texts of a tool. The texts of an accepted definition are only recorded, so that calls are checked against
 * them.
 */
function coverTool(cover: Cover, tool: ListedTool, options: ListingOptions): void {
  const { node, isAccepted } = tool;
  coverOutputSchema(cover, tool, options);
  if (options.trusted) return;
  // It is for programs and was not checked on first use, so prose in it is framed.
  const meta = memberOf(node, '_meta');
  if (isAccepted && meta !== undefined) {
    cover.walk(meta);
    cover.skip(meta);
  }
  if (isAccepted) {
    cover.read(node);
    return;
  }
  removeWeakHints(cover, node);
  if (options.isFraming) removePatterns(cover, memberOf(node, 'inputSchema'));
  cover.walk(node);
}

/** The prose of a definition without its `_meta`, which is framed in any case. */
function proseOf(cover: Cover, tool: JsonNode): readonly string[] {
  return tool.members.flatMap(({ name, value }) => (name === '_meta' ? [] : cover.passagesIn(value)));
}

/** The reason why a tool cannot be shown, or undefined. */
function unreadable(cover: Cover, { value: tool }: JsonMember, definition: unknown): Held | undefined {
  if (!isDefinition(definition)) return { type: 'unreadable', tool: '', reason: 'The tool has no name.' };
  const { name } = definition;
  if (!isPlain(name)) return { type: 'unreadable', tool: name, reason: 'The name contains prose.' };
  const schema = memberOf(tool, 'inputSchema');
  const required = memberOf(schema, 'required');
  const names = (required?.members ?? []).map(({ value }) => String(readValue(cover.json.text, value)));
  if (isNamedPlainly(schema) && names.every(isPlain)) return undefined;
  return { type: 'unreadable', tool: name, reason: 'The name of an argument contains prose.' };
}

/** The replacement of a changed definition. Only the pinned name in it is the server's. */
function stubOf(held: Held, { heldNote }: ListingOptions): string | undefined {
  if (held.type !== 'changed' || heldNote === undefined) return undefined;
  return JSON.stringify({ name: held.tool, description: heldNote(held.tool), inputSchema: { type: 'object' } });
}

/** The listing while it is being made. */
interface GrowingListing extends Listing {
  readonly names: string[];
  readonly shown: Definition[];
  readonly added: Definition[];
  readonly accepted: Map<string, string>;
  readonly unframed: Definition[];
  readonly held: Held[];
}

/** Adds a definition that the client sees. Returns true if it is accepted, and so shown unchanged. */
async function addShown(
  listing: GrowingListing,
  definition: Definition & { readonly name: string },
  wasAccepted: boolean,
  isClean: () => Promise<boolean>,
): Promise<boolean> {
  const { name } = definition;
  const isAccepted = wasAccepted || (await isClean());
  listing.shown.push(definition);
  if (isAccepted) listing.unframed.push(definition);
  else listing.held.push({ type: 'flagged', tool: name, after: definition });
  if (isAccepted && !wasAccepted) listing.accepted.set(name, definitionDigest(definition));
  return isAccepted;
}

/** Removes a definition that is held, or puts another one in its place. */
function coverHeld(cover: Cover, tools: JsonNode, member: JsonMember, stub: string | undefined): void {
  if (stub === undefined) cover.edits.remove(tools, member);
  else cover.edits.replace(member.value.start, member.value.end, stub);
}

/** Covers the tools of one page, and removes those that must be held and those that are not offered. */
export async function coverTools(
  cover: Cover,
  tools: JsonNode,
  comparison: Comparison,
  options: ListingOptions,
): Promise<Listing> {
  const listing: GrowingListing = { names: [], shown: [], added: [], accepted: new Map(), unframed: [], held: [] };
  for (const member of tools.members) {
    const { value: node } = member;
    const definition = readExactly(cover.json.text, node) as Definition & { readonly name: string };
    const name = isDefinition(definition) ? definition.name : undefined;
    // Neither pinned, held nor compared: nothing of it reaches the client.
    if (name !== undefined && !options.isOffered(name)) {
      cover.edits.remove(tools, member);
      cover.skip(node);
      continue;
    }
    listing.names.push(name ?? '');
    const heldFor = unreadable(cover, member, definition) ?? comparison.heldFor(definition.name, definition);
    if (heldFor !== undefined) {
      listing.held.push(heldFor);
      coverHeld(cover, tools, member, stubOf(heldFor, options));
    } else {
      const wasAccepted = options.trusted || comparison.isAccepted(definition.name, definition);
      const isClean = (): Promise<boolean> => options.isClean(proseOf(cover, node));
      const isAccepted = await addShown(listing, definition, wasAccepted, isClean);
      if (!comparison.isPinned(definition.name)) listing.added.push(definition);
      coverTool(cover, { node, definition, isAccepted }, options);
    }
    cover.skip(node);
  }
  return listing;
}
