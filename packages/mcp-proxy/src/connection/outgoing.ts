import { type JsonNode, type JsonText, memberOf, stringAt, within } from '@sallyport/core/json';
import { Edits } from '../json/edit.ts';
import { META } from '../message/meta.ts';
import type { Memory } from '../state/memory.ts';

/** Which conversation a client's request belongs to, where its host says so. */
export function conversationOf({ text, root }: JsonText): string | undefined {
  const said = memberOf(memberOf(memberOf(root, 'params'), '_meta'), META.conversation);
  const id = said?.type === 'string' ? stringAt(text, said) : '';
  return id === '' || id.length > 256 || !id.isWellFormed() ? undefined : id;
}

function openedBy(memories: readonly Memory[], text: string): string | undefined {
  for (const memory of memories) {
    const opened = memory.opened(text);
    if (opened !== undefined) return opened;
  }
  return undefined;
}

function openFrames({ text, root }: JsonText, memories: readonly Memory[], edits: Edits): void {
  // Every frame of ours has this in it, and hardly anything else has, unless it is written in escapes.
  if (!text.includes('untrusted_content_') && !text.includes('\\u')) return;
  for (const node of within(root)) {
    const opened = node.type === 'string' ? openedBy(memories, stringAt(text, node)) : undefined;
    if (opened !== undefined) edits.replace(node.start, node.end, JSON.stringify(opened));
  }
}

/** A client's message for the server: frames that it hands back are what they were, and what is between host and us stays here. */
export function outgoingText(json: JsonText, memories: readonly Memory[]): string {
  const edits = new Edits(json.text);
  openFrames(json, memories, edits);
  const meta = memberOf(memberOf(json.root, 'params'), '_meta');
  for (const member of meta?.members ?? [])
    if (member.name === META.conversation) edits.remove(meta as JsonNode, member);
  return edits.apply() ?? json.text;
}
