import type { ContentPart } from '@sallyport/core';
import type { FramedPiece } from '@sallyport/core/stages';
import { blocksOf, type Fields, isFields, textOf } from './fields.ts';

/** Blocks of content: what is read in them, and what stands in their place once that is framed. */
export interface Block {
  readonly parts: readonly ContentPart[];
  /** Takes one piece for each part, or fewer where they were framed together. */
  show(pieces: readonly FramedPiece[]): readonly Fields[];
}

type Pieces = readonly FramedPiece[];

function cacheOf(block: unknown): Fields {
  const { cache_control } = isFields(block) ? block : ({} as Fields);
  return cache_control === undefined ? {} : { cache_control };
}

function settingsOf(block: Fields): Fields {
  const { citations } = block;
  return { ...(citations === undefined ? {} : { citations }), ...cacheOf(block) };
}

/** A cache breakpoint stands behind all that came of its block, and is not multiplied: a request may hold four. */
function textsOf(pieces: Pieces, cache: Fields): Fields[] {
  return pieces.map(({ text }, index) => ({ type: 'text', text, ...(index === pieces.length - 1 ? cache : {}) }));
}

function jsonBlock(block: unknown): Block {
  const { cache_control: _, ...value } = isFields(block) ? block : { value: block };
  return { parts: [{ type: 'json', value }], show: (pieces) => textsOf(pieces, cacheOf(block)) };
}

/** The bytes go beside their envelope; where they are withheld, the envelope says so. */
function mediaBlock(part: ContentPart, block: Fields): Block {
  const show = (pieces: Pieces): Fields[] =>
    pieces[0]?.media === undefined ? textsOf(pieces, cacheOf(block)) : [...textsOf(pieces, {}), block];
  return { parts: [part], show };
}

function imageBlock(block: Fields): Block | undefined {
  const { type, media_type, data } = isFields(block.source) ? block.source : ({} as Fields);
  if (type !== 'base64' || typeof data !== 'string') return undefined;
  return mediaBlock({ type: 'image', mediaType: textOf(media_type) ?? 'image/png', data }, block);
}

/** Another block before a block: what was written about it. */
function withLead(lead: readonly ContentPart[], block: Block): Block {
  return {
    parts: [...lead, ...block.parts],
    show: (pieces) => [...textsOf(pieces.slice(0, lead.length), {}), ...block.show(pieces.slice(lead.length))],
  };
}

function sourceBlock(block: Fields): Block | undefined {
  const source = isFields(block.source) ? block.source : ({} as Fields);
  const name = textOf(block.title);
  const about = { mediaType: textOf(source.media_type) ?? 'text/plain', ...(name === undefined ? {} : { name }) };
  const shown = (inner: Fields): Fields => ({ type: 'document', source: inner, ...settingsOf(block) });
  if (source.type === 'text' && typeof source.data === 'string')
    return {
      parts: [{ type: 'file', ...about, text: source.data }],
      show: ([piece]) => [shown({ type: 'text', media_type: 'text/plain', data: piece?.text })],
    };
  if (source.type === 'base64' && typeof source.data === 'string')
    return mediaBlock({ type: 'file', ...about, data: source.data }, shown(source));
  if (source.type !== 'content') return undefined;
  const inner = readBlocks(blocksOf(source.content));
  const title: readonly ContentPart[] = name === undefined ? [] : [{ type: 'json', value: { title: name } }];
  return withLead(title, {
    parts: inner.parts,
    show: (pieces) => [shown({ type: 'content', content: inner.show(pieces) })],
  });
}

/** Title and context were chosen by whoever made the document: they go into the envelope. */
function documentBlock(block: Fields): Block | undefined {
  const read = sourceBlock(block);
  const context = textOf(block.context);
  return read === undefined || context === undefined ? read : withLead([{ type: 'text', text: context }], read);
}

/** The API wants both of a search result; the true ones stand in the envelope. */
const INSIDE = { source: 'see content', title: 'see content' };

function searchBlock(block: Fields): Block | undefined {
  const texts = blocksOf(block.content).filter(isFields);
  const [first] = texts;
  if (first === undefined || !texts.every(({ type, text }) => type === 'text' && typeof text === 'string'))
    return undefined;
  const about = [textOf(block.title), textOf(block.source)].filter((each) => each !== undefined).join('\n');
  const inner = readBlocks(texts);
  return {
    // It is what the tool itself says, and not a file that it hands over: it has the tool's own origin.
    parts: [{ type: 'text', text: `${about}\n\n${String(first.text)}` }, ...inner.parts.slice(1)],
    show: (pieces) => [{ type: 'search_result', ...INSIDE, content: inner.show(pieces), ...settingsOf(block) }],
  };
}

/** It can only name a tool that the developer has declared, and the API puts his definition in its place. */
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

/** What nobody knows yet, and what would have to be fetched, is shown as the JSON it is. */
export function readBlock(block: unknown): Block {
  return (isFields(block) ? knownBlock(block) : undefined) ?? jsonBlock(block);
}

export function readBlocks(blocks: readonly unknown[]): Block {
  const read = blocks.map(readBlock);
  const parts = read.flatMap((block) => block.parts);
  const apart = (pieces: Pieces): readonly Fields[] => {
    const rest = [...pieces];
    return read.flatMap((block) => block.show(rest.splice(0, block.parts.length)));
  };
  // A corpus is one piece, whatever it was made of.
  const together = (pieces: Pieces): readonly Fields[] => [
    ...textsOf(pieces, cacheOf(blocks.findLast((block) => isFields(cacheOf(block).cache_control)))),
    ...read.filter((block) => block.parts.length === 0).flatMap((block) => block.show([])),
  ];
  return { parts, show: (pieces) => (pieces.length === parts.length ? apart(pieces) : together(pieces)) };
}
