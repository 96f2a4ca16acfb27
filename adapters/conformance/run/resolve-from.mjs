// A module hook that resolves some packages, if our own files import them, in another folder, so that the same program runs with
// another version. Imports of other packages are not changed.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const { PEERS_FOLDER, PEERS_NAMES } = process.env;
const hook = `
const parent = ${JSON.stringify(pathToFileURL(`${PEERS_FOLDER}/package.json`).href)};
const names = ${JSON.stringify((PEERS_NAMES ?? '').split(','))};
export const resolve = (specifier, context, next) =>
  !context.parentURL?.includes('/node_modules/') &&
  names.some((name) => specifier === name || specifier.startsWith(name + '/'))
    ? next(specifier, { ...context, parentURL: parent })
    : next(specifier, context);
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
