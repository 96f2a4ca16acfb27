import { CommandError } from './terminal-text.ts';

/** A package that only those install who run a gateway. */
export type GatewayPackage = typeof import('@sallyport/gateway');

/** Exit codes of the commands that work on the gateway's store. */
export const EXIT = { done: 0, refused: 1, misused: 2, unreachable: 3 } as const;

const NAME = '@sallyport/gateway';

async function load(find: () => Promise<GatewayPackage>): Promise<GatewayPackage> {
  try {
    return await find();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes(NAME)) throw cause;
    throw new CommandError(
      `${NAME} is not installed here.`,
      `install it where the command line is: npm install ${NAME} (with -g if that is global; from a checkout: npm run tarballs -- cli gateway)`,
      EXIT.misused,
    );
  }
}

/** Our messages say what is wrong, and behind a colon what to do. */
function failed(message: string, exitCode: number): CommandError {
  const at = message.indexOf(': ');
  return at < 0
    ? new CommandError(message, 'see --help of the command', exitCode)
    : new CommandError(`${message.slice(0, at)}.`, message.slice(at + 2), exitCode);
}

/** Does work with the gateway's package. What it refuses is said as any other error of a command. */
export async function withGateway<T>(
  work: (gateway: GatewayPackage) => Promise<T>,
  find: () => Promise<GatewayPackage> = () => import('@sallyport/gateway'),
): Promise<T> {
  const gateway = await load(find);
  try {
    return await work(gateway);
  } catch (cause) {
    if (cause instanceof gateway.ConfigError) throw failed(cause.message, EXIT.misused);
    if (cause instanceof gateway.UnreachableError) throw failed(cause.message, EXIT.unreachable);
    if (cause instanceof gateway.StoreError)
      throw failed(cause.message, cause.problem === 'conflict' ? EXIT.refused : EXIT.misused);
    throw cause;
  }
}
