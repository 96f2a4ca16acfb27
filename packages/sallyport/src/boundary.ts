import { spanClassifier } from '@sallyport/classifier';
import {
  type Boundary,
  type ClassifierV1,
  type BoundaryOptions as CoreOptions,
  createBoundary as createCoreBoundary,
} from '@sallyport/core';

/**
 * Options of createBoundary(). All have defaults.
 *
 * @example
 * ```ts
 * const options: BoundaryOptions = { tools: [readMail], gate: { preset: 'strict' } };
 * const boundary = createBoundary(options);
 * ```
 */
export interface BoundaryOptions extends CoreOptions {
  /** A classifier in place of the built-in one. Classification cannot be turned off. @default spanClassifier */
  readonly classifier?: ClassifierV1;
}

/**
 * Makes a boundary with the built-in classifier. All other options have the defaults of `@sallyport/core`.
 *
 * @example
 * ```ts
 * const boundary = createBoundary({
 *   tools: [defineTool({ name: 'read_mail', origin: 'external', effect: 'read' })],
 * });
 * const conversation = boundary.conversation('chat-1');
 * ```
 */
export function createBoundary(options: BoundaryOptions = {}): Boundary {
  // Not a default in the destructuring: `null` from a configuration file must not turn classification off.
  return createCoreBoundary({ ...options, classifier: options.classifier ?? spanClassifier });
}
