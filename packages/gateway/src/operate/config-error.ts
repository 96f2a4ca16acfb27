/** The variables that settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A setting is missing or wrong. The message names the setting and says what to do; it never contains the value.
 *
 * @example
 * ```ts
 * try {
 *   readConfig(process.env);
 * } catch (error) {
 *   if (error instanceof ConfigError) console.error(error.message);
 * }
 * ```
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
