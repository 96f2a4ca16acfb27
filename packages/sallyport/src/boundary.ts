import { spanClassifier } from '@sallyport/classifier';
import {
  type Boundary,
  type ClassifierV1,
  type BoundaryOptions as CoreOptions,
  createBoundary as createCoreBoundary,
} from '@sallyport/core';

export interface BoundaryOptions extends CoreOptions {
  /** Another classifier in place of the built-in one. Nothing turns classification off. @default spanClassifier */
  readonly classifier?: ClassifierV1;
}

/** Core's boundary with the built-in span classifier. Key, cache and timer have core's own defaults. */
export function createBoundary(options: BoundaryOptions = {}): Boundary {
  // Not a default in a pattern: `null`, from a configuration file, must not come to mean that nobody looks.
  return createCoreBoundary({ ...options, classifier: options.classifier ?? spanClassifier });
}
