/**
 * The names of the proxy's members in the `_meta` of messages.
 *
 * @example
 * ```ts
 * await client.callTool({ name: 'send', arguments: {}, _meta: { [META.conversation]: 'thread-1' } });
 * ```
 */
export const META: {
  /** Written by the host: the conversation that a request belongs to. */
  readonly conversation: 'sallyport/conversation';
  /** On a server's messages in mode `annotate`: `{ server, tool }` or `{ server }`. */
  readonly source: 'sallyport/source';
  /** On the result of a call that was not made: `{ outcome, rule }`. */
  readonly decision: 'sallyport/decision';
} = {
  conversation: 'sallyport/conversation',
  source: 'sallyport/source',
  decision: 'sallyport/decision',
};
