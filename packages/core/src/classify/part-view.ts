import { readView, type TextView } from '@sallyport/decode';
import type { LimitedPart } from '../record/limit.ts';

const views = new WeakMap<LimitedPart, TextView>();

/** All decoded readings of a part, computed once for the classifier, the ledger and the gate. */
export function viewOfPart(part: LimitedPart): TextView {
  const cached = views.get(part);
  if (cached !== undefined) return cached;
  const view = readView(part.text);
  views.set(part, view);
  return view;
}
