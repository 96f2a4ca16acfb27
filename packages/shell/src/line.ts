/** A simple command of a line. */
export interface ShellCommand {
  /** The program's own name without its folder: `git`. Empty if it is computed, or if the command only sets variables. */
  readonly program: string;
  /** The program as written, if that is more than its name: `./build.sh`, `$EDITOR`. */
  readonly path?: string;
  /** The programs that run it, which were looked through: `sudo`, `xargs`, `sh`. */
  readonly through: readonly string[];
  /** The words after the program, without quotes. A word with an expansion keeps it as written: `$HOME/x`. */
  readonly words: readonly string[];
  /** The variables that are set for the command or by it. A loop sets its variable to all its words. */
  readonly assignments: Readonly<Record<string, string>>;
  /** The files that it reads by redirection. */
  readonly reads: readonly string[];
  /** The files that it writes by redirection. */
  readonly writes: readonly string[];
  /** The text of a here-document or here-string. */
  readonly input?: string;
  /** The index of the command whose output it reads through a pipe. */
  readonly pipedFrom?: number;
  /**
   * The indexes of the commands whose output becomes a part of its words or of its input: by a substitution, by `xargs`, or as further
   * commands of a group that is piped into it.
   */
  readonly uses: readonly number[];
  /** The folder that a `cd` before it in the line chose, relative to that in which the line starts. Not set if none did, or it is computed. */
  readonly folder?: string;
  /** It runs in `folder` for sure, because it runs only after each `cd` before it succeeded. If not, it may run in an earlier folder. */
  readonly isFolderSure: boolean;
}

/** What a line of a shell runs. */
export interface ShellLine {
  /** Every simple command in the order of the text, also those in substitutions, functions and scripts given to `sh -c`. */
  readonly commands: readonly ShellCommand[];
  /** The line could not be read, or a part of it: it is not the whole truth that `commands` says. */
  readonly isOpaque: boolean;
}
