import { type ReactNode, useMemo, useState } from 'react';
import { Inert } from '../../parts/inert.tsx';

/** Characters that are offered at once. */
const STEP = 4000;

interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function sentencesIn(text: string): readonly Sentence[] {
  const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
  return [...segments].flatMap(({ index, segment }) =>
    segment.trim() === '' ? [] : [{ start: index, end: index + segment.length, text: segment }],
  );
}

interface PassageFormProps {
  readonly text: string;
  readonly isPending: boolean;
  readonly onReport: (range: { readonly start: number; readonly end: number }) => void;
}

/** Chooses the sentences of a text that were an attack, from the first that is ticked to the last. */
export function PassageForm({ text, isPending, onReport }: PassageFormProps): ReactNode {
  const [length, setLength] = useState(STEP);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const sentences = useMemo(() => sentencesIn(text.slice(0, length)), [text, length]);
  const chosen = sentences.filter(({ start }) => start >= Math.min(...ticked) && start <= Math.max(...ticked));
  const [first, last] = [chosen.at(0), chosen.at(-1)];
  const tick = (start: number, isTicked: boolean): void => {
    const next = new Set(ticked);
    if (isTicked) next.add(start);
    else next.delete(start);
    setTicked(next);
  };
  return (
    <form
      className="passage-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (first !== undefined && last !== undefined) onReport({ start: first.start, end: last.end });
      }}
    >
      <fieldset className="passages">
        <legend className="small muted">
          Everything from the first to the last sentence that you tick is reported.
        </legend>
        {sentences.map((sentence) => (
          <label key={sentence.start} className={chosen.includes(sentence) ? 'passage-chosen' : ''}>
            <input
              type="checkbox"
              checked={ticked.has(sentence.start)}
              onChange={({ target }) => tick(sentence.start, target.checked)}
            />
            <span>
              <Inert text={sentence.text} />
            </span>
          </label>
        ))}
      </fieldset>
      <div className="row">
        <button type="submit" className="button button-bad" disabled={isPending || chosen.length === 0}>
          {chosen.length > 1 ? `Report ${chosen.length} sentences` : 'Report as an attack'}
        </button>
        {text.length > length && (
          <button type="button" className="button button-plain" onClick={() => setLength(length + STEP)}>
            Show more ({(text.length - length).toLocaleString('en')} characters)
          </button>
        )}
      </div>
    </form>
  );
}
