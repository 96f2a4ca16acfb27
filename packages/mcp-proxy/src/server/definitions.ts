import { READING_RULES } from '@sallyport/core/adapter';
import { type JsonNode, memberNamed, readValue } from '@sallyport/core/json';
import type { Connection } from '../connection/connection.ts';
import type { Cover } from '../content/cover.ts';
import { Comparison, type Held, type Listed } from '../content/pin.ts';
import type { Memory } from '../state/memory.ts';
import { coverTools } from './tool-list.ts';

/** Stores and reports the definitions of a listing that wait for a person. */
async function hold({ settings, catalog }: Connection, held: readonly Held[], listed: Listed): Promise<void> {
  await settings.pins.hold(held, listed);
  if (held.length === 0) return;
  catalog.hold(held);
  settings.onEvent({ type: 'held', held });
}

/** Covers the instructions of a server, which are pinned. */
export async function coverInstructions(connection: Connection, cover: Cover, result: JsonNode): Promise<void> {
  const { pins, mode, trusted } = connection.settings;
  const member = memberNamed(result, 'instructions');
  const value = member === undefined ? '' : readValue(cover.json.text, member.value);
  const instructions = typeof value === 'string' ? value : JSON.stringify(value);
  const pinned = (await pins.load())?.instructions;
  if (pinned === undefined) await pins.add({ tools: {}, instructions });
  const isChanged = pinned !== undefined && pinned !== instructions;
  const changed: readonly Held[] = isChanged ? [{ type: 'instructions', before: pinned, after: instructions }] : [];
  await hold(connection, changed, { type: 'instructions' });
  if (member !== undefined) cover.skip(member.value);
  const put = (text: string): void => {
    const json = JSON.stringify(mode === 'frame' ? `${READING_RULES}${text === '' ? '' : `\n\n${text}`}` : text);
    if (member === undefined) cover.edits.add(result, 'instructions', json);
    else cover.edits.replace(member.value.start, member.value.end, json);
  };
  if (isChanged || instructions === '') {
    if (isChanged || mode === 'frame') put('');
  } else if (trusted) put(instructions);
  else cover.add(instructions, mode === 'frame' ? put : () => undefined);
}

/** Covers the tools of one page, pins new definitions, and holds those that a person has to accept. */
export async function coverListing(
  connection: Connection,
  cover: Cover,
  tools: JsonNode,
  { memory, isWhole }: { readonly memory: Memory; readonly isWhole: boolean },
): Promise<void> {
  const { settings, catalog, memories } = connection;
  const { pins, trusted, structured, mode, heldNote, isOffered } = settings;
  const comparison = new Comparison((await pins.load()) ?? { tools: {} }, await pins.others());
  const listing = await coverTools(cover, tools, comparison, {
    trusted,
    structured,
    isFraming: mode === 'frame',
    key: memory.frameKey,
    isClean: (texts) => memories.isClean(texts),
    heldNote,
    isOffered,
  });
  const { names, shown, added, accepted, unframed, held } = listing;
  if (added.length > 0 || accepted.size > 0) {
    const named = added.map((definition) => [String(definition.name), definition] as const);
    await pins.add({ tools: Object.fromEntries(named), accepted: Object.fromEntries(accepted) });
  }
  // A tool that is hidden from this client may still be offered to others, so nothing is known to be withdrawn.
  const isComplete = isWhole && names.length === tools.members.length;
  await hold(connection, held, { type: 'tools', names, isWhole: isComplete });
  catalog.show(shown, unframed);
}
