/** The shapes of values that a machine writes: they cannot carry a sentence. */
export type Shape = 'id' | 'uuid' | 'timestamp' | 'date' | 'time' | 'integer' | 'number' | 'code' | 'email';

/** An account number in the form of an IBAN, without blanks, as the source of a pattern. */
export const ACCOUNT = '[A-Z]{2}\\d{2}[A-Z0-9]{6,30}';

// Machine-written values are not longer, and the patterns below are not run on longer texts.
const MAX_LENGTH = 64;

const FULL_DATE = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
// RFC 3339, section 5.6. With nine digits of fraction at most, a timestamp has at most 35 characters.
const FULL_TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// The author of a record also writes its id, so an id must be unable to carry a sentence: `ignore_all_previous_orders` has no
// digits, and `ignore_allpreviousorders42` has a run of letters that no random id needs.
const ID_FORMS = [
  UUID,
  // ULID: Crockford's alphabet, the first character at most 7.
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  /^\d{1,20}$/,
  /^[0-9a-f]{8,64}$/i,
  /^[a-z]{1,10}[_-](?=[a-z]*\d[a-z]*\d)(?![0-9a-z]*[a-z]{7})[0-9a-z]{6,32}$/i,
];

const FORMS: Readonly<Record<Shape, readonly RegExp[]>> = {
  id: ID_FORMS,
  uuid: [UUID],
  timestamp: [new RegExp(`^${FULL_DATE}[Tt ]${FULL_TIME}$`)],
  date: [new RegExp(`^${FULL_DATE}$`)],
  time: [new RegExp(`^${FULL_TIME}$`)],
  integer: [/^-?\d{1,20}$/],
  number: [/^-?\d{1,15}(?:\.\d{1,15})?$/],
  // A product, an order, a coupon: capitals and a digit, which cannot spell an instruction.
  code: [/^(?=[A-Z_-]*\d)[A-Z0-9](?:[A-Z0-9]|[_-](?![_-])){1,31}$/],
  email: [/^[a-z0-9](?:[a-z0-9._+-]{0,30}[a-z0-9])?@(?:[a-z0-9-]{1,30}\.){1,3}[a-z]{2,10}$/i],
};

export function isShape(value: unknown): value is Shape {
  return typeof value === 'string' && Object.hasOwn(FORMS, value);
}

/**
 * True for a text with the shape of a machine-written value. The patterns are narrow on purpose: a value that does not fit is only
 * tagged, and a value that fits is shown to the model without a tag.
 */
export function fitsShape(value: string, shape: Shape): boolean {
  return value.length <= MAX_LENGTH && FORMS[shape].some((form) => form.test(value));
}
