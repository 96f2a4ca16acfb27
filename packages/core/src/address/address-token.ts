/** A match of a pattern in a text, and its offset. */
export interface Token {
  readonly text: string;
  readonly index: number;
}

/**
 * A pattern that begins at the sign which every match contains, such as `@`. Its first group, in a lookbehind, is the
 * text before the sign: a search from the start of a match would read on to the sign from every character. A lookahead
 * for the sign comes first, because the engine of Node 22 would try the lookbehind at every character.
 */
export interface Anchored {
  readonly pattern: RegExp;
  /** Shortens the first group if another match ended inside it; returns undefined if the rest is too short. */
  readonly cut: (before: string) => string | undefined;
}

interface Candidate {
  readonly start: number;
  readonly end: number;
}

function next(text: string, { pattern, cut }: Anchored, from: number): Candidate | undefined {
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: whole, 1: before, index: anchor } = match;
    const end = anchor + whole.length;
    if (before === undefined) return { start: anchor, end };
    const left = cut(before.slice(Math.max(0, before.length - (anchor - from))));
    if (left !== undefined) return { start: anchor - left.length, end };
    pattern.lastIndex = anchor + 1;
  }
  return undefined;
}

/**
 * The matches of some patterns from left to right, without overlaps. Of two matches with one start, the pattern listed
 * first counts.
 */
export function* matchesOf(text: string, patterns: readonly Anchored[]): Generator<Token, undefined> {
  let candidates = patterns.map((each) => next(text, each, 0));
  for (;;) {
    const found = candidates.reduce((one, other) =>
      (other?.start ?? text.length) < (one?.start ?? text.length) ? other : one,
    );
    if (found === undefined) return undefined;
    yield { text: text.slice(found.start, found.end), index: found.start };
    candidates = candidates.map((each, index) =>
      each === undefined || each.start >= found.end ? each : next(text, patterns[index] as Anchored, found.end),
    );
  }
}

/** The part of a scheme's characters from the first letter on. */
export function cutScheme(before: string): string | undefined {
  return /[a-z][a-z0-9+.-]+$/i.exec(before)?.[0];
}

/**
 * A mail address, matched from the at sign in both directions: a search for the start of the local part would restart
 * at every letter. Its pattern alone, without `cut`, also finds addresses that overlap.
 */
export const MAIL: Anchored = {
  pattern: /(?=@)(?<=([\p{L}\p{N}._%+-]{1,64}))@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  cut: (before) => before || undefined,
};
const SCHEME: Anchored = {
  pattern: /(?=:)(?<=([a-z][a-z0-9+.-]{1,20})):\/\/[^\s"'<>()|;]+/gi,
  cut: cutScheme,
};
const WWW: Anchored = { pattern: /www\.[^\s"'<>()|;]+/gi, cut: (before) => before };

/** Mail addresses and web addresses. */
export const ADDRESSES: readonly Anchored[] = [MAIL, SCHEME, WWW];

/** The mail addresses and web addresses in a text, from left to right. */
export function addressTokensIn(text: string): Generator<Token, undefined> {
  return matchesOf(text, ADDRESSES);
}
