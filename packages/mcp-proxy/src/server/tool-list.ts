import { canonicalJson, type JsonSchema } from '@sallyport/core/adapter';
import {
  type JsonMember,
  type JsonNode,
  memberNamed,
  memberOf,
  parseJson,
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
  /** Whether the server is trusted: its definitions are shown unframed, and its hints count. */
  readonly trusted: boolean;
  readonly structured: Structured;
  /** Whether texts are framed, and removed if they cannot be. */
  readonly isFraming: boolean;
  readonly key: FrameKey;
}

/** The tools of one page of a listing. */
export interface Listing {
  readonly shown: readonly Definition[];
  /** The shown tools that have no pin yet. */
  readonly added: readonly Definition[];
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

/** Whether all names are plain. A name cannot be framed, because clients need it unchanged. */
function isNamedPlainly(node: JsonNode | undefined): boolean {
  const nodes = node === undefined ? [] : [...within(node)];
  return nodes.every(({ members }) => members.every(({ name }) => name === undefined || isPlain(name)));
}

/** A schema without prose, for clients only. Undefined if the values that it declares are prose. */
function withoutProse(schema: JsonSchema): JsonSchema | undefined {
  const stripped = parseJson(
    JSON.stringify(schema, (name, value: unknown) =>
      ['description', 'title', '$comment', 'examples', 'default'].includes(name) && typeof value !== 'object'
        ? undefined
        : value,
    ),
  ) as JsonSchema;
  let isPlainSchema = true;
  JSON.stringify(stripped, (name, value: unknown) => {
    if (!isPlain(name) || (typeof value === 'string' && !isPlain(value))) isPlainSchema = false;
    return value;
  });
  return isPlainSchema ? stripped : undefined;
}

/** The output schema of `typed` results. Undefined if they are sent as text. */
export function typedSchemaOf({ outputSchema }: Definition, key: FrameKey): JsonSchema | undefined {
  if (typeof outputSchema !== 'object' || outputSchema === null) return undefined;
  const wide = widened(outputSchema as JsonSchema, key);
  return wide === undefined ? undefined : withoutProse(wide);
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

/** Removes patterns that are not plain. A framed pattern would be a different one. Without it the schema allows more, and the server still checks. */
function removePatterns(cover: Cover, schema: JsonNode | undefined): void {
  for (const node of schema === undefined ? [] : within(schema)) {
    const pattern = memberNamed(node, 'pattern');
    if (pattern?.value.type === 'string' && !isPlain(stringAt(cover.json.text, pattern.value))) {
      cover.edits.remove(node, pattern);
      cover.skip(pattern.value);
    }
  }
}

/** Whether the schema can stay as it is. Unframed content needs the unframed schema. */
function keepsSchema({ outputSchema }: Definition, { trusted, isFraming }: ListingOptions): boolean {
  return trusted || !isFraming || withoutProse(outputSchema as JsonSchema) !== undefined;
}

function coverOutputSchema(cover: Cover, tool: JsonNode, definition: Definition, options: ListingOptions): void {
  const member = memberNamed(tool, 'outputSchema');
  if (member === undefined || (options.structured === 'keep' && keepsSchema(definition, options))) return;
  cover.skip(member.value);
  const schema = options.structured === 'typed' ? typedSchemaOf(definition, options.key) : undefined;
  if (schema === undefined) cover.edits.remove(tool, member);
  else cover.edits.replace(member.value.start, member.value.end, canonicalJson(schema));
}

function coverTool(cover: Cover, tool: JsonNode, definition: Definition, options: ListingOptions): void {
  coverOutputSchema(cover, tool, definition, options);
  if (options.trusted) return;
  removeWeakHints(cover, tool);
  if (options.isFraming) removePatterns(cover, memberOf(tool, 'inputSchema'));
  cover.walk(tool);
}

/** Why a tool cannot be shown. */
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

/** Frames the tools of one page, and removes those that must be held. */
export function coverTools(cover: Cover, tools: JsonNode, comparison: Comparison, options: ListingOptions): Listing {
  const shown: Definition[] = [];
  const added: Definition[] = [];
  const held: Held[] = [];
  for (const member of tools.members) {
    const definition = readExactly(cover.json.text, member.value) as Definition & { readonly name: string };
    const heldFor = unreadable(cover, member, definition) ?? comparison.heldFor(definition.name, definition);
    if (heldFor !== undefined) {
      held.push(heldFor);
      cover.edits.remove(tools, member);
    } else {
      shown.push(definition);
      if (!comparison.isPinned(definition.name)) added.push(definition);
      coverTool(cover, member.value, definition, options);
    }
    cover.skip(member.value);
  }
  return { shown, added, held };
}
