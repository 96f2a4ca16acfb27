/** A stretch of a text to be drawn, with what it is and the id it can be pointed at by. */
export interface TrustRange {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly id?: string;
  readonly title?: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for a page. What hides or turns the direction of writing is spelled out: it is content of others. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\u3164]/gu, (sign) =>
      sign === '\n' || sign === '\t' ? sign : `<i>u+${(sign.codePointAt(0) as number).toString(16)}</i>`,
    );
}

const AROUND = 400;
const WITHOUT_MARKS = 500;
const GAP = '<span class="gap">[...]</span>';

interface Window {
  readonly start: number;
  readonly end: number;
}

/** What of a long text is shown: its beginning, and what stands around the stretches. */
function windowsOf(length: number, ranges: readonly TrustRange[]): readonly Window[] {
  if (ranges.length === 0) return [{ start: 0, end: Math.min(length, WITHOUT_MARKS) }];
  const windows: Window[] = [];
  for (const { start, end } of [...ranges].sort((one, other) => one.start - other.start)) {
    const next = {
      start: Math.max(0, start - AROUND),
      end: Math.min(length, Math.min(end, start + 4 * AROUND) + AROUND),
    };
    const last = windows.at(-1);
    if (last !== undefined && next.start <= last.end)
      windows[windows.length - 1] = { start: last.start, end: Math.max(last.end, next.end) };
    else windows.push(next);
  }
  return windows;
}

function segment(text: string, over: readonly TrustRange[], at: number): string {
  if (over.length === 0) return escaped(text);
  const id = over.find(({ start, id: own }) => own !== undefined && start === at)?.id;
  const title = over.map(({ title: own }) => own).find((own) => own !== undefined);
  const classes = [...new Set(over.map(({ kind }) => kind))].join(' ');
  return `<mark class="${classes}"${id === undefined ? '' : ` id="${id}"`}${title === undefined ? '' : ` title="${escaped(title)}"`}>${escaped(text)}</mark>`;
}

function drawWindow(text: string, { start, end }: Window, ranges: readonly TrustRange[]): string {
  const inside = ranges.filter((each) => each.start < end && each.end > start);
  const cuts = new Set([
    start,
    end,
    ...inside.flatMap((each) => [Math.max(start, each.start), Math.min(end, each.end)]),
  ]);
  const places = [...cuts].sort((one, other) => one - other);
  return places
    .slice(0, -1)
    .map((from, index) => {
      const to = places[index + 1] as number;
      const over = inside.filter((each) => each.start <= from && each.end >= to);
      return segment(text.slice(from, to), over, from);
    })
    .join('');
}

/** A text with its stretches, shortened to what matters. */
export function markedText(text: string, ranges: readonly TrustRange[]): string {
  const windows = windowsOf(text.length, ranges);
  const drawn = windows.map((window) => drawWindow(text, window, ranges));
  const [first, last] = [windows[0], windows.at(-1)];
  const before = (first?.start ?? 0) > 0 ? GAP : '';
  const after = (last?.end ?? 0) < text.length ? GAP : '';
  return `${before}${drawn.join(GAP)}${after}`;
}
