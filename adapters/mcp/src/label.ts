import type { Label } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import { CONFIDENTIALITIES, ORIGINS } from '@sallyport/core/stages';
import { META } from './meta.ts';

const LOWEST: Label = { integrity: 'unknown', confidentiality: 'secret' };

/**
 * The label that a server declares for its result. It is joined with the label of the tool, so it can only lower it: a server
 * gains nothing by claiming too much. A label that cannot be read is the lowest one.
 */
export function declaredLabelOf(result: unknown): { readonly label?: Label } {
  const declared = fieldsOf(fieldsOf(result)._meta)[META.submission];
  if (declared === undefined) return {};
  const { integrity, confidentiality } = fieldsOf(fieldsOf(declared).label);
  const origin = ORIGINS.find((each) => each === integrity);
  const secrecy = CONFIDENTIALITIES.find((each) => each === confidentiality);
  if (origin === undefined || secrecy === undefined) return { label: LOWEST };
  return { label: { integrity: origin, confidentiality: secrecy } };
}
