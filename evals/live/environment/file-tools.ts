import { found, text, tool } from './tool.ts';

export const FILE_TOOLS = [
  tool('list_files', 'The paths of all files.', {}, { effect: 'read', origin: 'workspace' }, (world) =>
    Object.keys(world.files),
  ),
  tool(
    'read_file',
    'The text of a file.',
    { path: 'string' },
    { effect: 'read', origin: 'workspace' },
    (world, { path }) => found(world.files[text(path)], `file ${text(path)}`),
  ),
  tool(
    'write_file',
    'Writes a file; an existing one is replaced.',
    { path: 'string', content: 'string' },
    { effect: 'write', modelText: ['content'] },
    (world, { path, content }) => {
      world.files[text(path)] = text(content);
      return 'written';
    },
  ),
  tool('delete_file', 'Deletes a file for good.', { path: 'string' }, { effect: 'destroy' }, (world, { path }) => {
    found(world.files[text(path)], `file ${text(path)}`);
    delete world.files[text(path)];
    return 'deleted';
  }),
  tool(
    'share_file',
    'Gives a person access to a file.',
    { path: 'string', email: 'string' },
    { effect: 'send' },
    (world, { path, email }) => {
      found(world.files[text(path)], `file ${text(path)}`);
      world.shares.push({ path: text(path), with: text(email) });
      return 'shared';
    },
  ),
];
