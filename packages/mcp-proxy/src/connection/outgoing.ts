import { type JsonNode, type JsonText, memberOf, stringAt, within } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';
import { META } from '../message/meta.ts';
import type { Memory } from '../state/memory.ts';

/** The conversation of a client's request, if the host names one. */
export function conversationOf({ text, root }: JsonText): string | undefined {
  const named = memberOf(memberOf(memberOf(root, 'params'), '_meta'), META.conversation);
  const id = named?.type === 'string' ? stringAt(text, named) : '';
  return id === '' || id.length > 256 || !id.isWellFormed() ? undefined : id;
}

function openedBy(memories: readonly Memory[], text: string): string | undefined {
  for (const memory of memories) {
    const opened = memory.openFrame(text);
    if (opened !== undefined) return opened;
  }
  return undefined;
}

function openFrames({ text, root }: JsonText, memories: readonly Memory[], edits: Edits): void {
  // Every frame contains this text, unless it is written in escapes. Few other messages do.
  if (!text.includes('<untrusted ') && !text.includes('\\u')) return;
  for (const node of within(root)) {
    const opened = node.type === 'string' ? openedBy(memories, stringAt(text, node)) : undefined;
    if (opened !== undefined) edits.replace(node.start, node.end, JSON.stringify(opened));
  }
}

/**
 * A client's message for the server: frames are replaced with their content, and the host's `_meta` for the proxy is
 * removed.
 */
export function outgoingText(json: JsonText, memories: readonly Memory[]): string {
  const edits = new Edits(json.text);
  openFrames(json, memories, edits);
  const meta = memberOf(memberOf(json.root, 'params'), '_meta');
  for (const member of meta?.members ?? [])
    if (member.name === META.conversation) edits.remove(meta as JsonNode, member);
  return edits.apply() ?? json.text;
}
