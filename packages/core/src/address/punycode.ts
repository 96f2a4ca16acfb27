// RFC 3492, section 6.2.
const BASE = 36;
const MIN = 1;
const MAX = 26;
const MAX_POINT = 0x10ffff;

function digitOf(sign: string): number | undefined {
  if (/[a-z]/.test(sign)) return sign.charCodeAt(0) - 97;
  return /\d/.test(sign) ? Number(sign) + 26 : undefined;
}

function adapted(difference: number, count: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(difference / 700) : difference >> 1;
  delta += Math.floor(delta / count);
  let bias = 0;
  for (; delta > ((BASE - MIN) * MAX) >> 1; bias += BASE) delta = Math.floor(delta / (BASE - MIN));
  return bias + Math.floor(((BASE - MIN + 1) * delta) / (delta + 38));
}

/** Reads the number at a position, and returns it with its end; undefined if it is not valid. */
function numberAt(
  label: string,
  at: number,
  bias: number,
): { readonly value: number; readonly end: number } | undefined {
  let [value, weight, end] = [0, 1, at];
  for (let step = BASE; ; step += BASE) {
    const digit = digitOf(label.charAt(end++));
    if (digit === undefined) return undefined;
    value += digit * weight;
    const threshold = Math.min(MAX, Math.max(MIN, step - bias));
    if (digit < threshold) return { value, end };
    weight *= BASE - threshold;
  }
}

/** Decodes a label of a host from Punycode to letters; undefined if it is not valid. */
export function fromPunycode(label: string): string | undefined {
  const at = label.lastIndexOf('-');
  const points = Array.from(at < 0 ? '' : label.slice(0, at), (each) => each.codePointAt(0) as number);
  let [point, index, bias] = [128, 0, 72];
  for (let next = at + 1; next < label.length; ) {
    const read = numberAt(label, next, bias);
    if (read === undefined) return undefined;
    const count = points.length + 1;
    bias = adapted(read.value, count, next === at + 1);
    point += Math.floor((index + read.value) / count);
    index = (index + read.value) % count;
    if (point > MAX_POINT) return undefined;
    points.splice(index++, 0, point);
    next = read.end;
  }
  return String.fromCodePoint(...points);
}
