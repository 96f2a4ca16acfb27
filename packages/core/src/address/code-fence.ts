import type { Span } from '@sallyport/decode';

const NOTABLE = /```+|~~~+|[`<\\|[\]]/g;
const CODE_SPAN = /`[^`|\n]+`(?!`)/y;
const FENCE_HEAD = /[^`\n]*\n/y;
// Includes fences inside a list or a quotation, or indented: parsers disagree about where such a fence ends.
const FENCE = /^[ \t>*+\-\d.)]*(?:```|~~~).*$/gm;
const DOUBT_END = /(?=```|~~~|<)|\n[ \t]*\n/g;

/** The end of a fence that starts at the margin, if all parsers agree on it; else -1. */
function fenceEnd(text: string, mark: string, at: number): number {
  FENCE_HEAD.lastIndex = at + mark.length;
  if ((at > 0 && text[at - 1] !== '\n') || !FENCE_HEAD.test(text)) return -1;
  FENCE.lastIndex = FENCE_HEAD.lastIndex;
  const line = FENCE.exec(text)?.[0] ?? '';
  return line.startsWith(mark) && /^(?:`+|~+)[ \t]*$/.test(line) ? FENCE.lastIndex : -1;
}

/**
 * Code that every parser reads as code. If parsers differ, the text up to the end of the paragraph, or all of it, is
 * read as text.
 */
export function readCode(text: string): readonly Span[] {
  const found: Span[] = [];
  NOTABLE.lastIndex = /[\r\u2028\u2029]/.test(text) ? text.length : 0;
  for (let match = NOTABLE.exec(text); match !== null; match = NOTABLE.exec(text)) {
    const { 0: mark, index: start } = match;
    CODE_SPAN.lastIndex = DOUBT_END.lastIndex = start;
    const isFence = mark.length > 1;
    const end = isFence ? fenceEnd(text, mark, start) : CODE_SPAN.test(text) ? CODE_SPAN.lastIndex : -1;
    if (end >= 0) found.push({ start, end });
    else if (isFence || mark === '<') break;
    NOTABLE.lastIndex = end >= 0 ? end : (DOUBT_END.exec(text)?.index ?? text.length);
  }
  return found;
}
