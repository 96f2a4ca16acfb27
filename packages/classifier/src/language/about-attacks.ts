import { FLAG_FENCE, FLAG_MENTION, FLAG_QUOTE, type Segments } from './segments.ts';

// Words that are frequent in a text about attacks on models. An attacker can write them too: the discounts below bound what that
// gains, and a finding in quotation marks is still marked.
const ABOUT =
  /prompt[\s-]?inject|jailbreak|adversarial|attacker|\battacks?\b|red[\s-]?team|guardrail|language model|\bllms?\b|phishing|malicious|exploit/gi;
const ENOUGH = 3;
const SHORT = 1200;

const QUOTED = 3;
const TOLD = 1.5;

/** Whether a text speaks of attacks: three such words, or one in a short note. */
export function isAboutAttacks(text: string): boolean {
  ABOUT.lastIndex = 0;
  const needed = text.length < SHORT ? 1 : ENOUGH;
  for (let met = 0; met < needed; met++) if (!ABOUT.test(text)) return false;
  return true;
}

export function isQuoted(flags: number): boolean {
  return (flags & (FLAG_MENTION | FLAG_QUOTE | FLAG_FENCE)) !== 0;
}

/** Log odds a segment loses because it is told of rather than said. */
export function discount(scores: Float32Array, segments: Segments): void {
  for (let i = 0; i < segments.count; i++)
    scores[i] = (scores[i] as number) - (isQuoted(segments.flags[i] as number) ? QUOTED : TOLD);
}
