import { fitsShape, isShape, refuse, type Shape } from '@sallyport/core/adapter';

// `message`, `error`, `note`, `status` and `type` are not listed: the author of the record writes them.
const DEFAULT: Readonly<Record<string, Shape>> = {
  id: 'id',
  pk: 'id',
  uuid: 'id',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  deleted_at: 'timestamp',
  createdAt: 'timestamp',
  updatedAt: 'timestamp',
  timestamp: 'timestamp',
  date: 'date',
  due_date: 'date',
};

/** The names whose values a machine writes, with their shapes: those that the application gives, or the usual ones. */
export class SystemKeys {
  readonly #table: Readonly<Record<string, Shape>>;
  readonly #isDefault: boolean;

  constructor(table: Readonly<Record<string, Shape>> | undefined) {
    if (table !== undefined && (typeof table !== 'object' || table === null || !Object.values(table).every(isShape)))
      refuse(
        '`systemKeys` must give each name a shape: id, uuid, timestamp, date, time, integer, number, code or email.',
      );
    this.#table = { ...(table ?? DEFAULT) };
    this.#isDefault = table === undefined;
  }

  // The suffixes below do not make a name known: an attacker can write a sentence that ends in `_id`.
  has(name: string): boolean {
    return Object.hasOwn(this.#table, name);
  }

  /** Whether a value has the shape of what a machine writes under this name. */
  fits(name: string, value: string): boolean {
    return this.#shapesOf(name).some((shape) => fitsShape(value, shape));
  }

  #shapesOf(name: string): readonly Shape[] {
    if (this.has(name)) {
      const shape = this.#table[name] as Shape;
      // Services write both under these names: `due_date` often has a time.
      return this.#isDefault && shape === 'date' ? ['date', 'timestamp'] : [shape];
    }
    if (!this.#isDefault) return [];
    if (name.endsWith('_id') || name.endsWith('Id')) return ['id'];
    return name.endsWith('_at') ? ['timestamp'] : [];
  }
}
