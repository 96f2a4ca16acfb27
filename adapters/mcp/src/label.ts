import type { Label } from '@sallyport/core';
import { CONFIDENTIALITIES, ORIGINS } from '@sallyport/core/stages';
import { fieldsOf } from './fields.ts';
import { META } from './meta.ts';

const LOWEST: Label = { integrity: 'unknown', confidentiality: 'secret' };

/**
 * The label that a server says its words were written under. It is joined in and can only lower: a server that claims too much
 * has claimed nothing, and a claim that cannot be read is the lowest one.
 */
export function labelSaidOf(result: unknown): { readonly label?: Label } {
  const said = fieldsOf(fieldsOf(result)._meta)[META.submission];
  if (said === undefined) return {};
  const { integrity, confidentiality } = fieldsOf(fieldsOf(said).label);
  const origin = ORIGINS.find((each) => each === integrity);
  const secrecy = CONFIDENTIALITIES.find((each) => each === confidentiality);
  if (origin === undefined || secrecy === undefined) return { label: LOWEST };
  return { label: { integrity: origin, confidentiality: secrecy } };
}
