/** A JSON object whose members were not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * True for a JSON object: not null and not an array.
 *
 * @example
 * ```ts
 * if (isFields(message) && typeof message.text === 'string') show(message.text);
 * ```
 */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The members of a value, or none if it is not an object.
 *
 * @example
 * ```ts
 * const { id } = fieldsOf(message);
 * ```
 */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/**
 * The items of a value, or none if it is not an array.
 *
 * @example
 * ```ts
 * for (const part of listOf(message.content)) read(part);
 * ```
 */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * A string, or undefined for every other type.
 *
 * @example
 * ```ts
 * const name = stringOf(block.title);
 * ```
 */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * A string that is not empty, or undefined for everything else.
 *
 * @example
 * ```ts
 * const tool = nonEmptyStringOf(call.name) ?? 'unnamed';
 * ```
 */
export function nonEmptyStringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
