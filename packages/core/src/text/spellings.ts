/**
 * Other spellings of a number, date or time: a model that reads `May 15, 2024` may write `2024-05-15` in a call. Only
 * words are compared, so spellings that differ in signs, quotes or separators are not listed.
 */

const MONTHS = [
  'january february march april may june july august september october november december',
  'jan feb mar apr may jun jul aug sep oct nov dec',
].map((names) => names.split(' '));

const NUMBER = /^(\d{1,15})(?:\.(\d{1,8}))?$/;
const GROUPED = /^(\d{1,3}(?:[,' \u00a0\u202f]\d{3})+)(?:\.(\d{1,8}))?$/;
const GROUPED_BY_DOT = /^(\d{1,3}(?:\.\d{3})+)(?:,(\d{1,8}))?$/;
const CODES = 'USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|INR|SEK|NOK|DKK|PLN|CZK|BRL|MXN|KRW|SGD|HKD|NZD|ZAR|TRY';
const CURRENCY = new RegExp(
  `^(?:[$\\u20ac\\u00a3\\u00a5]|(?:${CODES})\\s?)|(?:[$\\u20ac\\u00a3\\u00a5%]|\\s?(?:${CODES}))$`,
  'g',
);

function withGroups(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** The spellings of an amount: with and without groups of three digits, with and without a fraction of zeros. */
function formsOfNumber(value: string): string[] {
  const bare = value.trim().replace(CURRENCY, '').trim();
  const match = NUMBER.exec(bare) ?? GROUPED.exec(bare) ?? GROUPED_BY_DOT.exec(bare);
  if (match === null) return [];
  const whole = (match[1] as string).replace(/\D/g, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const fractions = fraction === '' ? ['', '0', '00'] : [fraction, fraction.padEnd(2, '0')];
  return [whole, withGroups(whole)].flatMap((digits) => fractions.map((each) => `${digits} ${each}`.trim()));
}

interface Day {
  readonly year: string;
  readonly month: number;
  readonly day: number;
}

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const NUMERIC = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;
const MONTH_FIRST = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]{3,9})\.?,? (\d{4})$/i;

function monthOf(name: string): number {
  return (MONTHS[1] as string[]).indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/** The days that a text can mean. `03/04/2024` can mean two. */
function readDays(value: string): Day[] {
  const text = value.trim();
  const iso = ISO.exec(text);
  if (iso !== null) return [{ year: iso[1] as string, month: Number(iso[2]), day: Number(iso[3]) }];
  const numeric = NUMERIC.exec(text);
  if (numeric !== null) {
    const [one, other, year] = [Number(numeric[1]), Number(numeric[2]), numeric[3] as string];
    return [
      { year, month: one, day: other },
      { year, month: other, day: one },
    ];
  }
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null)
    return [{ year: monthFirst[3] as string, month: monthOf(monthFirst[1] as string), day: Number(monthFirst[2]) }];
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst === null) return [];
  return [{ year: dayFirst[3] as string, month: monthOf(dayFirst[2] as string), day: Number(dayFirst[1]) }];
}

function formsOfDay({ year, month, day }: Day): string[] {
  if (month < 1 || month > 12 || day < 1 || day > 31) return [];
  const two = (number: number): string => String(number).padStart(2, '0');
  const [long, short] = MONTHS.map((names) => names[month - 1] as string) as [string, string];
  const numbers = [
    [two(month), two(day)],
    [String(month), String(day)],
  ];
  const ordinal = `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'}`;
  const days = [String(day), two(day), ordinal];
  return [
    ...numbers.flatMap(([m, d]) => [`${year} ${m} ${d}`, `${m} ${d} ${year}`, `${d} ${m} ${year}`]),
    ...[long, short].flatMap((name) => days.flatMap((d) => [`${name} ${d} ${year}`, `${d} ${name} ${year}`])),
  ];
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(am|pm)?$/i;

function formsOfTime(value: string): string[] {
  const match = CLOCK.exec(value.trim());
  if (match === null) return [];
  const [, hour, minute, , half] = match as unknown as [string, string, string, string?, string?];
  const shift = half === undefined ? 0 : half.toLowerCase() === 'pm' ? 12 : 0;
  const hours = (Number(hour) % (half === undefined ? 24 : 12)) + shift;
  const twelve = hours % 12 === 0 ? 12 : hours % 12;
  const suffix = hours < 12 ? 'am' : 'pm';
  const exact = [`${hours} ${minute}`, `${String(hours).padStart(2, '0')} ${minute}`];
  const spoken = [`${twelve} ${minute} ${suffix}`, `${twelve} ${minute}${suffix}`];
  return [...exact, ...spoken, ...(minute === '00' ? [`${twelve} ${suffix}`, `${twelve}${suffix}`] : [])];
}

// Without seconds other than 00 and without an offset, since people do not write those.
const STAMP = /^(\d{4}-\d{1,2}-\d{1,2})[T ](\d{1,2}:\d{2})(?::00)?(?:\.0{1,9})?Z?$/;
const MAX_LENGTH = 40;

/** The other spellings of a short value; none for a longer text. */
export function formsOf(value: string): readonly string[] {
  if (value.length > MAX_LENGTH || !/\d/.test(value)) return [];
  const days = readDays(value).flatMap(formsOfDay);
  return [...formsOfNumber(value), ...days, ...formsOfTime(value)];
}

/** The date and the time of a timestamp, each of which may come from a different text. */
export function partsOfStamp(value: string): readonly string[] {
  const match = STAMP.exec(value.trim());
  return match === null ? [] : [match[1] as string, match[2] as string];
}
