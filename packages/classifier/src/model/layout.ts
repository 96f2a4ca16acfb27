import { CLASSES } from '../language/lexicon.ts';
import { FORMS } from './features.ts';

/** Width of a feature's vector. */
export const WIDTH = 16;
/** Units of the hidden layer. */
export const HIDDEN = 32;

const CLASS_COUNT: number = CLASSES.length;

/**
 * The input of the hidden layer, by the first column of each part. Vectors first, then classes as bits, then numbers.
 */
export const SELF = 0;
export const PREVIOUS: number = SELF + WIDTH;
export const NEXT: number = 2 * WIDTH;
export const AROUND: number = 3 * WIDTH;
/** The first two content words. */
export const HEAD: number = 4 * WIDTH;
/** The vectors that differ from segment to segment end here. */
export const VECTORS: number = HEAD + 2 * WIDTH;
export const WHOLE: number = 6 * WIDTH;
export const CLASSES_SELF: number = 7 * WIDTH;
export const CLASSES_LEAD: number = CLASSES_SELF + CLASS_COUNT;
export const CLASSES_PREVIOUS: number = CLASSES_LEAD + CLASS_COUNT;
export const CLASSES_NEXT: number = CLASSES_PREVIOUS + CLASS_COUNT;
export const FORM: number = CLASSES_NEXT + CLASS_COUNT;
export const POSITION: number = FORM + FORMS;
export const POSITIONS = 7;
export const INPUTS: number = POSITION + POSITIONS;
