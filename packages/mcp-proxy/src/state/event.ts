import type { BoundaryEvent, Outcome } from '@sallyport/core';
import type { Held } from '../content/pin.ts';

/** What an operator would want to know. As in core, no event holds content: names are the server's own, so show them as such. */
export type ProxyEvent =
  | BoundaryEvent
  /** A message that nobody gets: it was no message, answered nothing, or could not be covered. */
  | { readonly type: 'dropped'; readonly from: 'client' | 'server'; readonly reason: DroppedReason }
  /** Tools, or instructions, that wait for a person. */
  | { readonly type: 'held'; readonly held: readonly Held[] }
  /** A call was judged, and with which outcome it ended. */
  | { readonly type: 'call'; readonly tool: string; readonly outcome: Outcome; readonly rule: string };

export type DroppedReason = 'syntax' | 'kind' | 'oversized' | 'encoding' | 'unmatched' | 'uncovered';
