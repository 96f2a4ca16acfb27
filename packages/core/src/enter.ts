import type { ClassifiedPart, Verdict } from './classify.ts';
import { decodeRuns } from './decode.ts';
import type { Framed } from './frame.ts';
import { vouches } from './label.ts';
import { FLAGGED, type LedgerText, OPEN, type Stretch, VOUCHED } from './ledger.ts';
import { surfaceOf } from './part.ts';
import { Prompt } from './prompt.ts';
import type { Recorded } from './record.ts';
import type { SourceOrigin } from './source.ts';

/** Under which id the developer's own words stand. No record has it: ids have at least one character. */
const POLICY_ID = '';

function standingOf(origin: SourceOrigin): number {
  return vouches(origin) ? VOUCHED : OPEN;
}

function stretchesOf(verdict: Verdict): Stretch[] {
  if (verdict.type !== 'checked') return [];
  const stretches: Stretch[] = [];
  for (const { start, end, likelihood } of verdict.spans) {
    if (likelihood === 'none' || likelihood === 'low') continue;
    const last = stretches.at(-1);
    if (last !== undefined && start < last.end)
      stretches[stretches.length - 1] = { ...last, end: Math.max(last.end, end) };
    else stretches.push({ start, end, standing: FLAGGED });
  }
  return stretches;
}

/** The stretch that a place lies in, if any: stretches are sorted and apart. */
function stretchOver(stretches: readonly Stretch[], start: number, end: number): Stretch | undefined {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle] as Stretch).end <= start) low = middle + 1;
    else high = middle;
  }
  const next = stretches[low];
  return next !== undefined && next.start < end ? next : undefined;
}

/** What stands encoded in a text has the standing of the place it stands at. */
function decodings(entry: LedgerText): LedgerText[] {
  const { recordId, part, standing, stretches } = entry;
  return decodeRuns(entry.text).map(({ start, end, text }) => {
    const over = stretchOver(stretches, start, end);
    return { recordId, part, text, at: { start, end }, standing: over?.standing ?? standing, stretches: [] };
  });
}

/** Text that holds escapes is read in both ways: JSON always has them, and tools print strings. */
function readings(entry: LedgerText, isJson: boolean): LedgerText[] {
  const decoded = decodings(entry);
  if (!entry.text.includes('\\')) return [entry, ...decoded];
  const escaped = { ...entry, isEscaped: true };
  return isJson ? [escaped, ...decoded] : [entry, escaped, ...decoded];
}

interface Shown {
  readonly recorded: Recorded;
  readonly isDirected: boolean;
}

function enterPart({ recorded, isDirected }: Shown, { limited, verdict }: ClassifiedPart, part: number): LedgerText[] {
  // What nobody has checked is suspect, never clean; and what a directed call brought was chosen by whoever directed it.
  // The user's own words are his whatever a call was for; a trusted tool repeats what it was asked.
  const isSuspect = (isDirected && recorded.source.origin !== 'user') || verdict.type === 'unchecked';
  const standing = isSuspect ? FLAGGED : standingOf(recorded.originOf(limited.part));
  const entry = { recordId: recorded.id, part, text: limited.text, standing, stretches: stretchesOf(verdict) };
  return readings(entry, limited.part.type === 'json');
}

/** What a model reads of a record, as it was shown. A directed record is the result of a call that a flagged span chose. */
export function enterFramed(framed: Framed, isDirected: boolean): LedgerText[] {
  const { limited, parts } = framed.quoted.classified;
  return parts.flatMap((part, index) => enterPart({ recorded: limited.recorded, isDirected }, part, index));
}

/** The developer's own words, and the values that stand in his sections without a frame. */
export function enterPolicy(policy: Prompt): LedgerText[] {
  const literals = Prompt.segmentsOf(policy).flatMap((segment) => ('literal' in segment ? [segment.literal] : []));
  const free = new Set(policy.free);
  const placed = policy.values.filter((value) => !free.has(value));
  return [
    { recordId: POLICY_ID, part: 0, text: literals.join('\n'), standing: VOUCHED, stretches: [] },
    ...placed.flatMap((value) =>
      value.parts.flatMap((part, index) => {
        // Nobody has classified what stands in a section.
        const standing = vouches(value.originOf(part)) ? VOUCHED : FLAGGED;
        const entry = { recordId: value.id, part: index, text: surfaceOf(part), standing, stretches: [] };
        return readings(entry, part.type === 'json');
      }),
    ),
  ];
}
