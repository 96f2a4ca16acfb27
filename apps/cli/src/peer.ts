import { CommandError } from './terminal-text.ts';

/** An optional package: only users who run a gateway install it. */
export type GatewayPackage = typeof import('@sallyport/gateway');

/** Exit codes of the commands that work on the gateway's store. */
export const EXIT = { done: 0, refused: 1, misused: 2, unreachable: 3 } as const;

const NAME = '@sallyport/gateway';

async function load(importGateway: () => Promise<GatewayPackage>): Promise<GatewayPackage> {
  try {
    return await importGateway();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes(NAME)) throw cause;
    throw new CommandError(
      `this command needs the package ${NAME}, which is not installed.`,
      `install it next to the CLI: npm install ${NAME} (add -g if the CLI is installed globally; in a checkout: npm run tarballs -- cli gateway)`,
      EXIT.misused,
    );
  }
}

/** The gateway's messages state the problem, and after a colon what to do. */
function commandErrorFrom(message: string, exitCode: number, others: readonly CommandError[] = []): CommandError {
  // A colon after a quotation mark belongs to JSON that the message shows.
  const at = message.search(/(?<!"): /);
  return at < 0
    ? new CommandError(message, 'docs/operations.md describes all settings, and --help all options', exitCode, others)
    : new CommandError(`${message.slice(0, at)}.`, message.slice(at + 2), exitCode, others);
}

/** Runs `work` with the gateway's package, and reports the gateway's errors as errors of the command. */
export async function withGateway<T>(
  work: (gateway: GatewayPackage) => Promise<T>,
  importGateway: () => Promise<GatewayPackage> = () => import('@sallyport/gateway'),
): Promise<T> {
  const gateway = await load(importGateway);
  try {
    return await work(gateway);
  } catch (cause) {
    if (cause instanceof gateway.ConfigError) {
      const [first = cause.message, ...others] = cause.problems;
      const further = others.map((problem) => commandErrorFrom(problem, EXIT.misused));
      throw commandErrorFrom(first, EXIT.misused, further);
    }
    if (cause instanceof gateway.UnreachableError) throw commandErrorFrom(cause.message, EXIT.unreachable);
    if (cause instanceof gateway.StoreError)
      throw commandErrorFrom(cause.message, cause.problem === 'conflict' ? EXIT.refused : EXIT.misused);
    throw cause;
  }
}
