// A module hook: what our own files import of some packages is looked up in another folder, so that the same program runs against
// another version. What other packages import stays theirs.
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
