export { type Layer, type LayerKind, originalSpan, textWithin } from './text/view/layer.ts';
export { readView, type TextView } from './text/view/view.ts';
