import { EFFECTS, SUPPLIERS } from '../../api/presets.ts';

export type Effect = (typeof EFFECTS)[number];
export type Supplier = (typeof SUPPLIERS)[number];

/** The supplier of the value that decides, in words. */
export const SUPPLIER_NAMES: Readonly<Record<Supplier, string>> = {
  trusted: 'The user, or a trusted source',
  model: 'The model itself',
  content: 'Content that others wrote',
  instructed: 'An instruction to the model',
};

const RULES: Readonly<Record<string, string>> = {
  reads: 'the tool only reads',
  unread: 'nothing that others wrote was read before',
  requested: 'a value comes from a request in content that others wrote',
  alarm: 'a text that was read gives instructions to the model',
  disclosure: 'private data would go to an address that content chose',
  secrets: 'a value is a secret',
  'over-budget': 'there is too much to check',
  undeclared: 'it is not known what the tool does',
  forgotten: 'more was read than is remembered',
  hidden: 'the policy does not offer the tool',
};

function isSupplier(name: string | undefined): name is Supplier {
  return SUPPLIERS.some((supplier) => supplier === name);
}

/** The cause of a decision in short: the table's cell, or the rule. Calls that a rule decides have a cell too. */
export function causeOf(rule: string, cell: string | undefined): string {
  return cell !== undefined && isSupplier(rule) ? cell : rule;
}

/** A cell of the policy's table in words; undefined if it is not one. */
export function cellWords(cell: string): string | undefined {
  const [effect, supplier, ...rest] = cell.split(', ');
  if (rest.length > 0 || !EFFECTS.some((name) => name === effect) || !isSupplier(supplier)) return undefined;
  return `${effect}, the value comes from: ${SUPPLIER_NAMES[supplier].toLowerCase()}`;
}

/** Why a rule of the gateway decides; undefined for other rules. */
export function ruleWords(rule: string): string | undefined {
  return Object.hasOwn(RULES, rule) ? RULES[rule] : undefined;
}
