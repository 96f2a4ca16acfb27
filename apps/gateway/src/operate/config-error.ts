/** The variables that settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Settings are missing or wrong. Each problem names the setting and says what to do; it never contains the value.
 *
 * @example
 * ```ts
 * try {
 *   readConfig(process.env);
 * } catch (error) {
 *   if (error instanceof ConfigError) for (const problem of error.problems) console.error(problem);
 * }
 * ```
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One sentence for each setting. */
  readonly problems: readonly string[];

  constructor(problem: string | readonly string[], options?: ErrorOptions) {
    const problems = typeof problem === 'string' ? [problem] : problem;
    super(problems.join('\n'), options);
    this.problems = problems;
  }
}

/** Reads a setting now. The function that it returns gives the value, or throws if the setting is wrong. */
export type ReadSetting = <T>(read: () => T) => () => T;

/** Reads all settings, so that one error names every wrong one. What `work` returns is called if none is wrong. */
export function readAll<T>(work: (read: ReadSetting) => () => T): T {
  const errors = new Set<ConfigError>();
  const result = work((read) => {
    try {
      const value = read();
      return () => value;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // A setting that depends on this one throws the same error.
      errors.add(error);
      return () => {
        throw error;
      };
    }
  });
  if (errors.size === 0) return result();
  const [first] = errors;
  if (errors.size === 1) throw first;
  throw new ConfigError([...new Set([...errors].flatMap(({ problems }) => problems))], { cause: first?.cause });
}
