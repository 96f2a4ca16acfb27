/** A highlighted range of a text. `kind` becomes its CSS class, `id` the target of arrows. */
export interface Mark {
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

/** Untrusted text for a page. Invisible characters and those that change the direction of text are spelled out. */
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

/** The shown parts of a long text: the context of each mark, or the beginning if there are none. */
function windowsOf(length: number, marks: readonly Mark[]): readonly Window[] {
  if (marks.length === 0) return [{ start: 0, end: Math.min(length, WITHOUT_MARKS) }];
  const windows: Window[] = [];
  for (const { start, end } of [...marks].sort((one, other) => one.start - other.start)) {
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

function segment(text: string, over: readonly Mark[], at: number): string {
  if (over.length === 0) return escaped(text);
  const id = over.find(({ start, id: own }) => own !== undefined && start === at)?.id;
  const title = over.map(({ title: own }) => own).find((own) => own !== undefined);
  const classes = [...new Set(over.map(({ kind }) => kind))].join(' ');
  return `<mark class="${classes}"${id === undefined ? '' : ` id="${id}"`}${title === undefined ? '' : ` title="${escaped(title)}"`}>${escaped(text)}</mark>`;
}

function drawWindow(text: string, { start, end }: Window, marks: readonly Mark[]): string {
  const inside = marks.filter((each) => each.start < end && each.end > start);
  const cuts = new Set([
    start,
    end,
    ...inside.flatMap((each) => [Math.max(start, each.start), Math.min(end, each.end)]),
  ]);
  const offsets = [...cuts].sort((one, other) => one - other);
  return offsets
    .slice(0, -1)
    .map((from, index) => {
      const to = offsets[index + 1] as number;
      const over = inside.filter((each) => each.start <= from && each.end >= to);
      return segment(text.slice(from, to), over, from);
    })
    .join('');
}

/** A text with its marks, shortened to their context. */
export function markedText(text: string, marks: readonly Mark[]): string {
  const windows = windowsOf(text.length, marks);
  const drawn = windows.map((window) => drawWindow(text, window, marks));
  const [first, last] = [windows[0], windows.at(-1)];
  const before = (first?.start ?? 0) > 0 ? GAP : '';
  const after = (last?.end ?? 0) < text.length ? GAP : '';
  return `${before}${drawn.join(GAP)}${after}`;
}
