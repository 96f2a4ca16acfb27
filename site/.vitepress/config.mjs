import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
/** A package of the reference, with its modules if it has pages of its own for them. */
const describedPackage = (dir) => {
  const name = nameOf(dir);
  const link = `/api/${name.replace('@sallyport/', '')}`;
  const folder = new URL(`..${link.replace('/api', '/pages/api')}/`, import.meta.url);
  const modules = existsSync(folder) ? readdirSync(folder).sort() : [];
  const items = modules.map((file) => file.replace('.md', '')).map((text) => ({ text, link: `${link}/${text}` }));
  return { text: name, link, ...(items.length > 0 ? { items } : {}) };
};
const reference = { text: 'API reference', items: described.map(describedPackage) };
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const all = { text: 'All documents', link: '/start' };

export default defineConfig({
  title: 'Sallyport',
  description: 'The boundary between what an LLM agent reads and what it may do.',
  lang: 'en',
  srcDir: 'pages',
  // The Markdown files for programs, which are served as they are.
  srcExclude: ['public/**'],
  outDir: 'dist',
  cleanUrls: true,
  // The playground is made from the sources: the site needs no build of the packages.
  vite: { resolve: { conditions: ['@sallyport/source'] } },
  metaChunk: true,
  markdown: { anchor: { slugify }, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Playground', link: '/playground' },
      { text: 'Guides', link: '/guides/email-agent' },
      { text: 'Security', link: '/threat-model' },
      { text: 'API', link: '/api/' },
      { text: `v${version}`, link: '/changelog' },
    ],
    // Groups that fold have a button within a button, which a screen reader cannot distinguish. So these do not fold.
    sidebar: {
      '/': [...contents.map(section), { text: 'API', items: [{ text: 'API reference', link: '/api/' }] }],
      '/api/': [all, reference],
    },
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: {
      pattern: `${home}/edit/main/:path`,
      text: 'Edit this page',
    },
    socialLinks: [{ icon: 'github', link: home, ariaLabel: 'The repository' }],
    footer: { message: `Sallyport ${version}, Apache-2.0. These pages load nothing from other hosts.` },
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
