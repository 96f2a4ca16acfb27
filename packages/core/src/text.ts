export { NAMED_ENTITIES } from './text/entities.ts';
export { foldPoint, type View, viewOf } from './text/fold.ts';
export { stripTags } from './text/strip-tags.ts';
export { type Layer, type LayerKind, originalSpan, textWithin } from './text/view/layer.ts';
export { readView, type TextView } from './text/view/view.ts';
