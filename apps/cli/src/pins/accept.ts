import { definitionDigest, type Held } from '@sallyport/mcp-proxy';
import type { PinFile, PinFiles } from './pin-files.ts';

function withAccepted(file: PinFile, accepted: readonly Held[]): PinFile {
  const tools = accepted.flatMap((held) =>
    held.type === 'instructions' || held.type === 'unreadable' ? [] : [[held.tool, held.after] as const],
  );
  const instructions = accepted.find((held) => held.type === 'instructions');
  const digests = tools.map(([tool, definition]) => [tool, definitionDigest(definition)] as const);
  return {
    ...file,
    tools: { ...file.tools, ...Object.fromEntries(tools) },
    accepted: { ...file.accepted, ...Object.fromEntries(digests) },
    instructions: instructions?.after ?? file.instructions,
    held: file.held.filter((held) => !accepted.includes(held)),
  };
}

/** Accepts only what was shown, and returns it: the server may have listed something else since. */
export function acceptHeld(files: PinFiles, server: string, shown: readonly Held[]): readonly Held[] {
  const shownJson = new Set(shown.map((held) => JSON.stringify(held)));
  let accepted: readonly Held[] = [];
  files.change(server, (current) => {
    accepted = current.held.filter((held) => shownJson.has(JSON.stringify(held)));
    return withAccepted(current, accepted);
  });
  return accepted;
}
