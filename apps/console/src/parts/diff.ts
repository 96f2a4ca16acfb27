/** A line of a comparison. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const MAX_CELLS = 4_000_000;

/** Lengths of the longest common subsequences of the ends of two lists. */
function lengthsOf(one: readonly string[], other: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--) {
      const [row, next] = [rows[i] as Uint32Array, rows[i + 1] as Uint32Array];
      row[j] = one[i] === other[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return rows;
}

function compared(one: readonly string[], other: readonly string[]): readonly DiffLine[] {
  const lengths = lengthsOf(one, other);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const isSame = i < one.length && j < other.length && one[i] === other[j];
    const isRemoved = !isSame && i < one.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0);
    if (isSame) lines.push({ kind: 'same', text: one[i++] as string });
    else if (isRemoved) lines.push({ kind: 'removed', text: one[i++] as string });
    else lines.push({ kind: 'added', text: other[j] as string });
    if (!isRemoved) j++;
  }
  return lines;
}

/** The lines of two texts, with what was removed and added. Texts that are too long are shown one after the other. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  const middle = [one.slice(start, one.length - end), other.slice(start, other.length - end)] as const;
  const isLong = middle[0].length * middle[1].length > MAX_CELLS;
  const changed = isLong
    ? [
        ...middle[0].map((text): DiffLine => ({ kind: 'removed', text })),
        ...middle[1].map((text): DiffLine => ({ kind: 'added', text })),
      ]
    : compared(...middle);
  return [...one.slice(0, start).map(same), ...changed, ...one.slice(one.length - end).map(same)];
}

/** Only the changed lines, with some around them. Undefined marks lines that are left out. */
export function aroundChanges(lines: readonly DiffLine[], around = 2): readonly (DiffLine | undefined)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [undefined] : [];
  });
}
