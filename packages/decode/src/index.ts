export { Budget } from './budget.ts';
export { readEntity, spellsName, WILD } from './character-reference.ts';
export { pointAt } from './code-point.ts';
export { CONFUSABLES } from './confusables.ts';
export { NAMED_ENTITIES } from './entities.ts';
export { firstReadings, foldPoint, isMarked, type Scanned, type View, viewOf } from './fold.ts';
export { type Layer, type LayerKind, originalSpan, textWithin } from './layers/layer.ts';
export { readView, type TextView } from './layers/view.ts';
export { layerSpans, mergeSpans, type Span, subtractSpans } from './span.ts';
