// Writes JSON as an attacker may: white space, unnecessary escapes, duplicate members, numbers in many spellings.

/** JSON that is already text. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** An object by its members in order. A name may occur twice. */
export class Members {
  constructor(list) {
    this.list = list;
  }
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export class Writer {
  #random;

  constructor(random) {
    this.#random = random;
  }

  #string(text) {
    const plain = JSON.stringify(text);
    if (!this.#random.chance(0.06)) return plain;
    const odd = (unit) => this.#random.chance(0.3) || unit < ' ' || unit === '"' || unit === '\\' || unit > '\ud7ff';
    return `"${text.replace(/./gs, (unit) => (odd(unit) ? escaped(unit) : unit))}"`;
  }

  write(value) {
    const blank = this.#random.chance(0.06) ? () => this.#random.pick(['', ' ', '\t', '  ', '\r']) : () => '';
    const put = (each) => {
      if (each instanceof Raw) return each.text;
      if (typeof each === 'string') return this.#string(each);
      if (typeof each === 'function') throw new TypeError('a function is not JSON');
      if (typeof each !== 'object' || each === null) return JSON.stringify(each);
      if (Array.isArray(each)) return `[${blank()}${each.map(put).join(`${blank()},${blank()}`)}${blank()}]`;
      const members = each instanceof Members ? each.list : Object.entries(each);
      const known = members.filter(([, member]) => member !== undefined);
      const texts = known.map(([name, member]) => `${this.#string(name)}${blank()}:${blank()}${put(member)}`);
      return `{${blank()}${texts.join(`${blank()},${blank()}`)}${blank()}}`;
    };
    return blank() + put(value) + blank();
  }
}
