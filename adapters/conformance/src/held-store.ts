import type { HeldStore, StoredHeldCall } from '@sallyport/core';

/** The held calls of all processes, as a database keeps them: as text. */
export function textHeldStore(): HeldStore {
  const calls = new Map<string, string>();
  const read = (text: string): StoredHeldCall => JSON.parse(text) as StoredHeldCall;
  return {
    put: (call) => void calls.set(call.id, JSON.stringify(call)),
    get: (id) => {
      const text = calls.get(id);
      return text === undefined ? undefined : read(text);
    },
    list: ({ conversation, owner }) =>
      [...calls.values()]
        .map(read)
        .filter(
          (call) => (conversation ?? call.conversation) === call.conversation && (owner ?? call.owner) === call.owner,
        ),
    delete: (id) => void calls.delete(id),
  };
}
