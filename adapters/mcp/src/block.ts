import type { FilePart, ImagePart, LinkPart, Part } from '@sallyport/core/stages';

/** A content block of MCP, in the form that both SDK versions accept. */
export type Block =
  | { type: 'text'; text: string; _meta?: Record<string, unknown> }
  | { type: 'image'; data: string; mimeType: string; _meta?: Record<string, unknown> }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string }; _meta?: Record<string, unknown> }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string }; _meta?: Record<string, unknown> }
  | {
      type: 'resource_link';
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      _meta?: Record<string, unknown>;
    };

/** The address of a resource that was stored without one: MCP requires an address. */
const NO_ADDRESS = 'sallyport:none';

function linkOf({ uri, name = uri, title, description, mediaType }: LinkPart): Block {
  return {
    type: 'resource_link',
    uri,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mediaType === undefined ? {} : { mimeType: mediaType }),
  };
}

function fileOf({ mediaType, uri = NO_ADDRESS, ...held }: FilePart | ImagePart): Block {
  const about = { uri, mimeType: mediaType };
  if ('text' in held && held.text !== undefined) return { type: 'resource', resource: { ...about, text: held.text } };
  return held.data === undefined
    ? linkOf({ type: 'link', uri, mediaType, ...(held.name === undefined ? {} : { name: held.name }) })
    : { type: 'resource', resource: { ...about, blob: held.data } };
}

/** A part as a content block. `partsOf` reads it back as the same part. */
export function blockOf(part: Part): Block {
  switch (part.type) {
    case 'text':
    case 'json':
      return { type: 'text', text: part.text };
    case 'link':
      return linkOf(part);
    case 'file':
      return fileOf(part);
    case 'image':
      return part.data === undefined || part.uri !== undefined
        ? fileOf(part)
        : { type: 'image', data: part.data, mimeType: part.mediaType };
  }
}
