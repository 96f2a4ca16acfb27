import { fieldsOf } from '@sallyport/core/adapter';
import { type JsonNode, memberOf, readValue } from '@sallyport/core/json';
import type { Cover } from './cover.ts';
import type { Definition } from './pin.ts';

// MCP Apps (SEP-1865): a host shows the page of a tool in a sandbox, and gives it the structured content of results.
const EXTENSION = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';

/** Checks a client's capabilities for MCP Apps. */
export function declaresApps(capabilities: unknown): boolean {
  const { extensions } = fieldsOf(capabilities);
  return typeof fieldsOf(extensions)[EXTENSION] === 'object';
}

/** The address of the page in which a host shows a tool's results. */
export function pageOf({ _meta }: Definition): string | undefined {
  const meta = fieldsOf(_meta);
  const uri = fieldsOf(meta.ui).resourceUri ?? meta['ui/resourceUri'];
  return typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined;
}

function isPage(text: string, item: JsonNode, uri: string): boolean {
  const type = readValue(text, memberOf(item, 'mimeType'));
  const isType = typeof type === 'string' && type.replace(/\s/g, '').toLowerCase() === PAGE_TYPE;
  return isType && readValue(text, memberOf(item, 'uri')) === uri;
}

/** Passes the requested page unchanged. It is recorded, because an app can propose calls with values from its page. */
export function keepPage(cover: Cover, result: JsonNode, uri: string): void {
  const contents = memberOf(result, 'contents');
  for (const { value: item } of contents?.type === 'array' ? contents.members : []) {
    const page = isPage(cover.json.text, item, uri) ? memberOf(item, 'text') : undefined;
    if (page !== undefined) cover.read(page);
  }
}
