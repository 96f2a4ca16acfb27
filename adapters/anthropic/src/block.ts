import type { ContentPart } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, mediaPart, nonEmptyStringOf } from '@sallyport/core/adapter';
import type { FramedPiece } from '@sallyport/core/stages';
import { blocksOf } from './blocks.ts';

/** The parts that a block contains, and the blocks that replace it once they are framed. */
export interface Block {
  readonly parts: readonly ContentPart[];
  /** Takes one piece for each part, or fewer if parts were framed together. */
  show(pieces: readonly FramedPiece[]): readonly Fields[];
}

type Pieces = readonly FramedPiece[];

function cacheOf(block: unknown): Fields {
  const { cache_control } = fieldsOf(block);
  return cache_control === undefined ? {} : { cache_control };
}

function settingsOf(block: Fields): Fields {
  const { citations } = block;
  return { ...(citations === undefined ? {} : { citations }), ...cacheOf(block) };
}

/** The cache breakpoint goes on the last block only: a request may contain at most four. */
function textsOf(pieces: Pieces, cache: Fields): Fields[] {
  return pieces.map(({ text }, index) => ({ type: 'text', text, ...(index === pieces.length - 1 ? cache : {}) }));
}

function jsonBlock(block: unknown): Block {
  const { cache_control: _, ...value } = isFields(block) ? block : { value: block };
  return { parts: [{ type: 'json', value }], show: (pieces) => textsOf(pieces, cacheOf(block)) };
}

/** The bytes follow their frame; if they are withheld, the frame says so. */
function mediaBlock(part: ContentPart | undefined, block: Fields): Block | undefined {
  if (part === undefined) return undefined;
  const show = (pieces: Pieces): Fields[] =>
    pieces[0]?.media === undefined ? textsOf(pieces, cacheOf(block)) : [...textsOf(pieces, {}), block];
  return { parts: [part], show };
}

function imageBlock(block: Fields): Block | undefined {
  const { type, media_type, data } = fieldsOf(block.source);
  if (type !== 'base64') return undefined;
  return mediaBlock(mediaPart({ mediaType: nonEmptyStringOf(media_type) ?? 'image/png', data, isImage: true }), block);
}

/** A block with leading parts: text that was written about it. */
function withLead(lead: readonly ContentPart[], block: Block): Block {
  return {
    parts: [...lead, ...block.parts],
    show: (pieces) => [...textsOf(pieces.slice(0, lead.length), {}), ...block.show(pieces.slice(lead.length))],
  };
}

function sourceBlock(block: Fields): Block | undefined {
  const source = fieldsOf(block.source);
  const name = nonEmptyStringOf(block.title);
  const mediaType = nonEmptyStringOf(source.media_type) ?? 'text/plain';
  const shown = (inner: Fields): Fields => ({ type: 'document', source: inner, ...settingsOf(block) });
  if (source.type === 'text' && typeof source.data === 'string')
    return {
      parts: [{ type: 'file', mediaType, ...(name === undefined ? {} : { name }), text: source.data }],
      show: ([piece]) => [shown({ type: 'text', media_type: 'text/plain', data: piece?.text })],
    };
  if (source.type === 'base64')
    return mediaBlock(mediaPart({ mediaType, name, data: source.data, isImage: false }), shown(source));
  if (source.type !== 'content') return undefined;
  const inner = readBlocks(blocksOf(source.content));
  const title: readonly ContentPart[] = name === undefined ? [] : [{ type: 'json', value: { title: name } }];
  return withLead(title, {
    parts: inner.parts,
    show: (pieces) => [shown({ type: 'content', content: inner.show(pieces) })],
  });
}

/** The author of the document chose its title and context, so they go into the frame. */
function documentBlock(block: Fields): Block | undefined {
  const read = sourceBlock(block);
  const context = nonEmptyStringOf(block.context);
  return read === undefined || context === undefined ? read : withLead([{ type: 'text', text: context }], read);
}

/** The API requires both fields of a search result; the real values are in the frame. */
const PLACEHOLDERS = { source: 'see content', title: 'see content' };

function searchBlock(block: Fields): Block | undefined {
  const texts = blocksOf(block.content).filter(isFields);
  const [first] = texts;
  if (first === undefined || !texts.every(({ type, text }) => type === 'text' && typeof text === 'string'))
    return undefined;
  const about = [block.title, block.source].map(nonEmptyStringOf).filter(Boolean).join('\n');
  const inner = readBlocks(texts);
  return {
    // A search result is the tool's own text, not a file that it passes on, so it has the tool's origin.
    parts: [{ type: 'text', text: `${about}\n\n${String(first.text)}` }, ...inner.parts.slice(1)],
    show: (pieces) => [{ type: 'search_result', ...PLACEHOLDERS, content: inner.show(pieces), ...settingsOf(block) }],
  };
}

/** A reference can only name a tool that the developer has declared; the API replaces it with the developer's definition. */
function referenceBlock(block: Fields): Block | undefined {
  const { tool_name } = block;
  if (typeof tool_name !== 'string' || !/^[\w-]{1,128}$/.test(tool_name)) return undefined;
  return { parts: [], show: () => [{ type: 'tool_reference', tool_name, ...cacheOf(block) }] };
}

function knownBlock(block: Fields): Block | undefined {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string'
        ? { parts: [{ type: 'text', text: block.text }], show: (pieces) => textsOf(pieces, cacheOf(block)) }
        : undefined;
    case 'image':
      return imageBlock(block);
    case 'document':
      return documentBlock(block);
    case 'search_result':
      return searchBlock(block);
    case 'tool_reference':
      return referenceBlock(block);
    default:
      return undefined;
  }
}

/** A block of an unknown type, or one that would have to be fetched, becomes JSON. */
export function readBlock(block: unknown): Block {
  return (isFields(block) ? knownBlock(block) : undefined) ?? jsonBlock(block);
}

export function readBlocks(blocks: readonly unknown[]): Block {
  const read = blocks.map(readBlock);
  const parts = read.flatMap((block) => block.parts);
  const separately = (pieces: Pieces): readonly Fields[] => {
    const rest = [...pieces];
    return read.flatMap((block) => block.show(rest.splice(0, block.parts.length)));
  };
  // A corpus is one piece, whatever its parts were.
  const together = (pieces: Pieces): readonly Fields[] => [
    ...textsOf(pieces, cacheOf(blocks.findLast((block) => isFields(cacheOf(block).cache_control)))),
    ...read.filter((block) => block.parts.length === 0).flatMap((block) => block.show([])),
  ];
  return { parts, show: (pieces) => (pieces.length === parts.length ? separately(pieces) : together(pieces)) };
}
