// Names, numbers and addresses at random, for texts that programs print.
import type { Random } from '../random.ts';

const PEOPLE =
  'Ann Ben Chidi Dora Emre Fay Goran Hana Ivo Jun Kemal Lena Mia Noor Olga Pia Quin Rosa Sami Tove Uma Yuki'.split(' ');
const FAMILIES =
  'Abel Berg Costa Diaz Egger Fox Garcia Horn Ito Jansen Kaya Lund Meyer Novak Okoye Park Reed Sato Toth'.split(' ');
const TOPS = ['example.org', 'example.com', 'example.net', 'corp.example', 'shop.example', 'mail.example'];
const FOLDERS =
  'src lib test docs app bin config scripts assets build dist public data tmp home var etc usr opt work'.split(' ');
const ENDINGS = 'ts js json md py go rs txt yml html css sql sh csv log toml pdf png'.split(' ');

/** Draws names from the words that people wrote. */
export class Names {
  readonly random: Random;
  readonly #words: readonly string[];

  constructor(random: Random, words: readonly string[]) {
    this.random = random;
    this.#words = words;
  }

  /** From one to as many as `most` values. */
  list(most: number, make: () => string): string[] {
    return Array.from({ length: 1 + this.random.below(most) }, make);
  }

  lines(most: number, make: () => string): string {
    return this.list(most, make).join('\n');
  }

  word(): string {
    return this.random.pick(this.#words);
  }

  title(): string {
    const word = this.word();
    return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  }

  words(most: number): string {
    return this.list(most, () => this.word()).join(' ');
  }

  number(limit = 1000): number {
    return this.random.below(limit);
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.random.below(10)).join('');
  }

  hex(count: number): string {
    return Array.from({ length: count }, () => this.random.below(16).toString(16)).join('');
  }

  /** Letters of several alphabets. */
  letters(count: number): string {
    const first = this.random.pick([0x61, 0xe0, 0x3b1, 0x430, 0x5d0, 0x633]);
    return Array.from({ length: count }, () => String.fromCharCode(first + this.random.below(20))).join('');
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((count) => this.hex(count)).join('-');
  }

  base64(count: number): string {
    return Buffer.from(Array.from({ length: count }, () => this.random.below(256))).toString('base64');
  }

  date(): string {
    const part = (limit: number): string => String(1 + this.random.below(limit)).padStart(2, '0');
    return `202${this.random.below(7)}-${part(12)}-${part(28)}`;
  }

  time(): string {
    const part = (limit: number): string => String(this.random.below(limit)).padStart(2, '0');
    return `${part(24)}:${part(60)}:${part(60)}`;
  }

  person(): string {
    return `${this.random.pick(PEOPLE)} ${this.random.pick(FAMILIES)}`;
  }

  mail(): string {
    return `${this.random.pick(PEOPLE).toLowerCase()}.${this.random.pick(FAMILIES).toLowerCase()}@${this.random.pick(TOPS)}`;
  }

  url(): string {
    const path = this.list(3, () => this.word()).join('/');
    const query = this.random.chance(0.3) ? `?${this.word()}=${this.hex(12)}&utm_source=${this.word()}` : '';
    return `https://${this.random.pick(['www.', 'api.', 'docs.', ''])}${this.random.pick(TOPS)}/${path}${query}`;
  }

  /** As code names things: `sendReport`, `send_report`, `send-report`, `SendReport`. */
  identifier(): string {
    const parts = this.list(3, () => this.word());
    const style = this.random.below(4);
    if (style === 0) return parts.join('_');
    if (style === 1) return parts.join('-');
    const joined = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
    return style === 2 ? joined : joined.charAt(0).toLowerCase() + joined.slice(1);
  }

  file(): string {
    return `${this.identifier()}.${this.random.pick(ENDINGS)}`;
  }

  path(): string {
    const folders = this.list(4, () => (this.random.chance(0.6) ? this.random.pick(FOLDERS) : this.identifier()));
    const start = this.random.pick(['/', './', '', '~/', 'C:\\']);
    const separator = start === 'C:\\' ? '\\' : '/';
    return `${start}${[...folders, this.file()].join(separator)}`;
  }
}
