/** Where the boundary writes, and reads, in the `_meta` of messages. */
export const META: {
  /** From the host: which of its conversations a request belongs to. */
  readonly conversation: 'sallyport/conversation';
  /** On what a server says, in mode `annotate`: `{ server, tool }` or `{ server }`. */
  readonly source: 'sallyport/source';
  /** On the result of a call that was not made: `{ outcome, rule }`. */
  readonly decision: 'sallyport/decision';
} = {
  conversation: 'sallyport/conversation',
  source: 'sallyport/source',
  decision: 'sallyport/decision',
};
