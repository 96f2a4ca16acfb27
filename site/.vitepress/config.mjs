import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { contents, described } from '../contents.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const { repository, version } = read('../../packages/core/package.json');
const home = repository.url.replace(/^git\+|\.git$/g, '');
const nameOf = (dir) => read(`../../${dir}/package.json`).name;

/** The same anchors as GitHub's, so that a link works in both places. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

const section = ({ title, pages }) => ({
  text: title,
  items: pages.map(([text, path]) => ({ text, link: `/${path}` })),
});
const named = (...titles) => contents.filter(({ title }) => titles.includes(title)).map(section);
const reference = {
  text: 'API',
  items: described.map((dir) => ({ text: nameOf(dir), link: `/api/${nameOf(dir).replace('@sallyport/', '')}` })),
};
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const back = { text: 'All guides', link: '/start' };

export default defineConfig({
  title: 'Sallyport',
  description: 'The boundary between what an LLM agent reads and what it may do.',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  metaChunk: true,
  markdown: { anchor: { slugify }, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Security', link: '/threat-model' },
      { text: 'API', link: '/api/' },
      { text: version, link: '/upgrading' },
    ],
    // Groups that fold have a button within a button, which a screen reader cannot distinguish; so the lists are short instead.
    sidebar: {
      '/': named('Begin', 'Guides', 'For operators', 'Security', 'Reference'),
      '/adapters/': [back, ...named('Frameworks')],
      '/evals/': [back, ...named('How things were measured')],
      '/packages/': [back, ...named('Packages'), reference],
      '/api/': [back, reference, ...named('Packages')],
    },
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: {
      pattern: `${home}/blob/main/:path`,
      text: 'This page in the repository',
    },
    socialLinks: [{ icon: 'github', link: home, ariaLabel: 'The repository' }],
    footer: { message: 'Apache-2.0. These pages load nothing from other hosts.' },
  },
  // A function in themeConfig would be sent as a string and evaluated, which the policy below forbids.
  transformPageData: ({ frontmatter }) => ({ filePath: frontmatter.source ?? 'site/home.md' }),
  // The home page of the default theme has no main landmark.
  transformHtml: (html) => html.replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"'),
  head: [
    // VitePress writes inline scripts and styles, so those are allowed; resources of other hosts are not.
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/mark.svg' }],
  ],
});
