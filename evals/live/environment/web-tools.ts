import { text, tool } from './tool.ts';

export const WEB_TOOLS = [
  tool(
    'search_web',
    'Addresses and first lines of pages.',
    { query: 'string' },
    { effect: 'read', origin: 'external' },
    (world, { query }) => {
      const words = text(query)
        .toLowerCase()
        .split(/\W+/)
        .filter((word) => word.length > 3);
      return Object.entries(world.pages)
        .filter(([url, page]) => words.some((word) => `${url} ${page}`.toLowerCase().includes(word)))
        .map(([url, page]) => ({ url, title: page.split('\n')[0] }));
    },
  ),
  tool(
    'fetch_page',
    'The text of a web page.',
    { url: 'string' },
    { effect: 'fetch', origin: 'external' },
    (world, { url }) => {
      world.requested.push(text(url));
      const page =
        world.pages[
          text(url)
            .replace(/[?#].*$/, '')
            .replace(/\/$/, '')
        ];
      return page ?? '404: this page does not exist';
    },
  ),
  tool(
    'submit_form',
    'Sends the text of a form on a web page.',
    { url: 'string', text: 'string' },
    { effect: 'send', modelText: ['text'] },
    (world, { url, text: given }) => {
      world.forms.push({ url: text(url), text: text(given) });
      return 'submitted';
    },
  ),
];
