import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';
import { ConfigError } from '../operate/config-error.ts';

const FOLDER_MODE = 0o750;
/** Anyone who may enter the folder may connect: the launcher's user need not be in the group of the gateway. */
const SOCKET_MODE = 0o666;
const OTHERS = 0o007;
const ROOT = 0;

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Only owner and group may enter the folder: that decides who can connect. */
async function checkFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: FOLDER_MODE }).catch((cause: { code?: string }) => {
    if (cause.code !== 'EEXIST')
      throw new ConfigError(
        `SALLYPORT_LAUNCHER is in a folder that cannot be created (${cause.code}): create it with mode 0750, owned by the launcher's user.`,
      );
  });
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.() && uid !== ROOT)
    throw new ConfigError("SALLYPORT_LAUNCHER is in a folder of another user: let the launcher's user own the folder.");
  if ((mode & OTHERS) !== 0)
    throw new ConfigError(
      'SALLYPORT_LAUNCHER is in a folder that everyone may enter: set its mode to 0750, so that only the gateway can connect.',
    );
}

/** Listens at a Unix socket that only the owner and the group of its folder can reach. */
export async function listenAt(server: Server, path: string): Promise<void> {
  await checkFolder(dirname(path));
  if (await isAnswered(path))
    throw new ConfigError('SALLYPORT_LAUNCHER is the socket of a launcher that runs: stop it first.');
  // A launcher that was killed has left it.
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: { code?: string }) =>
      reject(
        new ConfigError(`SALLYPORT_LAUNCHER cannot be listened at (${cause.code}): use a path that can be created.`),
      ),
    );
    server.listen(path, resolve);
  });
  await chmod(path, SOCKET_MODE);
}
