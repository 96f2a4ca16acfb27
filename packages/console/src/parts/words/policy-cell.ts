import { ASKED, EFFECTS, SUPPLIERS } from '../../api/presets.ts';

export type Effect = (typeof EFFECTS)[number];
export type Asked = (typeof ASKED)[number];
export type Supplier = (typeof SUPPLIERS)[number];

/** Whether the user asked for the call, in words. */
export const ASKED_NAMES: Readonly<Record<Asked, string>> = {
  asked: 'the user asked for it',
  'not asked': 'the user did not ask',
  unheard: 'not known what the user asked',
};

/** Who supplied the value that decides, in words. */
export const SUPPLIER_NAMES: Readonly<Record<Supplier, string>> = {
  trusted: 'The user, or a trusted source',
  named: 'Content that the user pointed at',
  model: 'The model itself',
  content: 'Content that others wrote',
  requested: 'A request in such content',
  instructed: 'An instruction to the model',
};

/** A cell of the policy's table in words; undefined if it is not one. */
export function cellWords(cell: string): string | undefined {
  const [effect, asked, supplier, ...rest] = cell.split(', ');
  if (rest.length > 0 || !EFFECTS.some((name) => name === effect)) return undefined;
  const askedName = ASKED_NAMES[ASKED.find((name) => name === asked) as Asked];
  const supplierName = SUPPLIER_NAMES[SUPPLIERS.find((name) => name === supplier) as Supplier];
  if (askedName === undefined || supplierName === undefined) return undefined;
  return `${effect}, ${askedName}, the value comes from: ${supplierName.toLowerCase()}`;
}
