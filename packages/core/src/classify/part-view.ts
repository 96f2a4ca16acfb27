import type { LimitedPart } from '../record/limit.ts';
import { readView, type TextView } from '../text/view/view.ts';

const views = new WeakMap<LimitedPart, TextView>();

/** What a part says in all its readings. It is read once for all that need it: the classifier, the ledger and the gate. */
export function viewOfPart(part: LimitedPart): TextView {
  const known = views.get(part);
  if (known !== undefined) return known;
  const view = readView(part.text);
  views.set(part, view);
  return view;
}
