// Arranges what typedoc wrote, a file per export, into pages: an index, a page per package, and pages per module of a large
// package. A module is a folder of the sources. Each export begins with its summary and its example.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A package with more exports has a page per module. */
const MAX_ON_ONE_PAGE = 20;
/** An export with a longer text has a page of its own, such as a class with many methods. */
const MAX_SHARED = 12_000;
/** Folders of core and of the classifier, which the package `sallyport` exports, by what they are about. */
const TOPICS = {
  'packages/classifier/src': 'classifier',
  'packages/core/src': 'boundary',
  'packages/core/src/address': 'records',
  'packages/core/src/approval': 'approvals',
  'packages/core/src/base': 'boundary',
  'packages/core/src/call': 'tools',
  'packages/core/src/classify': 'classifier',
  'packages/core/src/consult': 'task',
  'packages/core/src/conversation': 'history',
  'packages/core/src/label': 'labels',
  'packages/core/src/provenance': 'gate',
  'packages/core/src/record': 'records',
  'packages/sallyport/src': 'boundary',
};
const KIND_ORDER = ['Function', 'Class', 'Variable', 'Interface', 'Type Alias'];
const RE_EXPORT = /^Re-exports \[[^\]]*\]\(([^)]+)\)/gm;
const LISTED = /^- \[[^\]]*\]\(([^)]+)\)/gm;
const FENCE = /^```[\s\S]*?^```$/gm;

const sortKey = ({ kind, name }) => `${KIND_ORDER.indexOf(kind)} ${name.toLowerCase()}`;
const inOrder = (one, other) => (sortKey(one) < sortKey(other) ? -1 : 1);
const moduleOf = ({ page }) => page.split('/').at(-1);
const slugOf = (specifier) => specifier.replace('@sallyport/', '').split('/')[0];

/** Replaces what is not in a code block. */
const outsideCode = (text, change) => {
  const blocks = [];
  const marked = text.replace(FENCE, (block) => `\0${blocks.push(block) - 1}\0`);
  return change(marked).replace(/\0(\d+)\0/g, (_, index) => blocks[index]);
};

/** Tables without the columns that say the same in each row, or repeat the link to the source. */
function narrowed(table) {
  const rows = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
  const [head, , ...body] = rows;
  const isKept = head.map((title, column) => {
    if (title === 'Modifier' || title === 'Defined in') return false;
    return title !== 'Default value' || body.some((row) => row[column] !== '`undefined`');
  });
  const line = (row) => `| ${row.filter((_, column) => isKept[column]).join(' | ')} |`;
  const cells = body.map((row) =>
    line(row.map((cell, column) => (head[column] === 'Default value' && cell === '`undefined`' ? '' : cell))),
  );
  return `${[line(head), line(head.map(() => '---')), ...cells].join('\n')}\n`;
}

/** The parts of a file of typedoc: what it is, where it is declared, and its text by sections. */
function readMember(file) {
  const text = readFileSync(file, 'utf8');
  const [, kind, title] = /^# ([A-Z][\w ]*): (.*)\n/.exec(text) ?? [];
  const [, place, link] = /^Defined in: \[([^\]]+)\]\(([^)]+)\)/m.exec(text) ?? [];
  if (kind === undefined || place === undefined) throw new Error(`${file} is not the page of an export`);
  const body = text
    .replace(/^# .*\n/, '')
    .replace(/^Defined in: .*\n/gm, '')
    .replace(/^\*\*\*\n/gm, '')
    .replace(/(?:^\|.*\|\n){3,}/gm, narrowed);
  const [start, ...sections] = outsideCode(body, (marked) => marked.replace(/^## /gm, '\x01')).split('\x01');
  const [signature = ''] = /^\s*```[\s\S]*?^```\n/m.exec(start) ?? [];
  const isExample = (section) => /^Examples?\n/.test(section);
  return {
    ...{ kind, title, signature, link, sections: sections.filter((section) => !isExample(section)) },
    name: title.replace(/\\(?=_)/g, '').replace(/[\\(<].*$/, ''),
    folder: dirname(place.replace(/:\d+$/, '')),
    text: start.replace(signature, '').trim(),
    example: sections
      .filter(isExample)
      .map((section) => section.slice(section.indexOf('\n')))
      .join('\n')
      .trim(),
  };
}

const firstSentence = (text) => {
  const plain = text.split(/\n\s*\n/)[0].replace(/\s+/g, ' ');
  return (/^.*?[.!?](?= [A-Z`]|$)/.exec(plain)?.[0] ?? plain).replace(/(?<!\\)\|/g, '\\|');
};

/** Inner headings become bold text, except those of methods and properties. Ids begin with the name of the export. */
function inner(section, name) {
  return outsideCode(section, (text) =>
    `## ${text}`
      .replace(/^## (?:Methods|Accessors|Constructors|Properties\n+(?=###))\n?/, '')
      .replace(/^### (.*?)$/gm, (_, title) => {
        const id = title.replace(/[\\(<?].*$/, '');
        return id === 'Type Literal' || id === 'Call Signature' ? `**${title}**` : `### ${title} {#${name}-${id}}`;
      })
      .replace(/^#{2,6} (Returns|Inherited from|Extends|Extended by)\n\n(?:- )?(?=\S)/gm, '**$1** ')
      .replace(/^(?:## |#{4,6} )(.*)$/gm, '**$1**')
      .replace(/ id="([^"]+)"/g, ` id="${name}-$1"`),
  ).trim();
}

function sectionOf(member, relink) {
  const { name, title, kind, link, text, example, signature, sections, specifiers } = member;
  const isType = kind === 'Interface' || kind === 'Type Alias';
  const imported = `\`import ${isType ? 'type ' : ''}{ ${name} } from '${specifiers[0]}'\``;
  const pieces = [
    `## ${title} {#${member.id}}`,
    `<p class="about">${kind} <a href="${link}">source</a></p>`,
    text,
    example,
    imported,
    signature.trim(),
    ...sections.map((section) => inner(section, member.id)),
  ];
  return outsideCode(pieces.filter((piece) => piece !== '').join('\n\n'), (marked) =>
    relink(marked, member).replace(/\n{3,}/g, '\n\n'),
  );
}

/** Every member by its file, with the specifiers from which it can be imported. */
function readMembers(made, entries) {
  const members = new Map();
  const exported = new Map();
  for (const { dir, specifier, file } of entries) {
    const module = file.replace(/(?:\/index)?\.tsx?$/, '');
    const list = join(made, module, 'README.md');
    if (!existsSync(list)) throw new Error(`typedoc wrote no list of ${specifier} at ${module}`);
    const text = readFileSync(list, 'utf8');
    const found = [...text.matchAll(LISTED), ...text.matchAll(RE_EXPORT)].map(([, link]) =>
      normalize(join(dirname(list), link)),
    );
    for (const path of found) {
      if (!members.has(path)) members.set(path, { ...readMember(path), path, dir, specifiers: [] });
      members.get(path).specifiers.push(specifier);
    }
    exported.set(specifier, found);
  }
  return { members, exported };
}

/** Sets the anchors of exports with one name: a function and its type, or the functions of several entries. */
function setIds(members) {
  const isOfEntries = new Set(members.map(({ kind }) => kind)).size < members.length;
  for (const member of members) {
    const entry = member.specifiers[0].split('/').at(-1);
    const suffix = isOfEntries ? entry : member.kind.toLowerCase().replace(' ', '-');
    member.id = members.length === 1 ? member.name : `${member.name}-${suffix}`;
    if (members.length > 1 && isOfEntries) member.title += ` (${entry})`;
  }
}

/** The values under each key, in order. `Map.groupBy` needs a later Node than the repository does. */
function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

/** Sets the page and the anchor of each member. */
function setPlaces(members) {
  const byPackage = groupBy(members.values(), ({ specifiers }) => slugOf(specifiers[0]));
  for (const [slug, list] of byPackage) {
    const isLarge = list.length > MAX_ON_ONE_PAGE;
    for (const member of list) {
      const topic = TOPICS[member.folder] ?? TOPICS[member.folder.replace(/(classifier\/src)\/.*/, '$1')];
      const isRoot = member.folder === `${member.dir}/src`;
      const isLong = member.sections.join('').length > MAX_SHARED;
      const folder = topic ?? (isRoot ? 'main' : member.folder.split('/').at(-1));
      const module = isLong ? member.name.toLowerCase() : folder;
      member.page = isLarge ? `${slug}/${module}` : slug;
    }
    for (const onPage of groupBy(list, ({ page }) => page).values())
      for (const alike of groupBy(onPage, ({ name }) => name).values()) setIds(alike);
  }
}

/** Rewrites links between files of typedoc to links between pages. */
function relinkWith(members) {
  for (const member of members.values()) {
    const text = member.sections.map((section) => inner(section, member.id)).join('\n');
    member.anchors = new Set([...text.matchAll(/ id="([^"]+)"|\{#([^}]+)\}/g)].map(([, one, other]) => one ?? other));
  }
  return (text, { path }) =>
    text.replace(/\]\(([^)#:]+\.md)(?:#([^)]+))?\)/g, (whole, link, hash) => {
      const target = members.get(normalize(join(dirname(path), link)));
      if (target === undefined) return whole;
      const inside = `${target.id}-${hash}`;
      return `](/api/${target.page}#${target.anchors.has(inside) ? inside : target.id})`;
    });
}

/** A table of exports, by modules where the package has several. */
function tablesOf(members, isSplit, relink) {
  const groups = isSplit ? groupBy(members, moduleOf) : new Map([['', members]]);
  const tables = [...groups].sort().map(([module, list]) => {
    const rows = list
      .sort(inOrder)
      .map(
        (each) => `| [\`${each.name}\`](/api/${each.page}#${each.id}) | ${relink(firstSentence(each.text), each)} |`,
      );
    return `${module === '' ? '' : `### ${module}\n\n`}| export | what it is |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return tables.join('\n');
}

const pageText = (source, title, body, depth = 2) =>
  `---\nsource: ${source}\noutline: [2, ${depth}]\neditLink: false\n---\n# ${title}\n\n${body}\n`;

/**
 * @param {string} made the folder that typedoc wrote
 * @param {readonly { dir: string, specifier: string, file: string, about: string }[]} entries
 * @returns {Map<string, string>} the pages by their paths below /api/
 */
export function arrange(made, entries) {
  const { members, exported } = readMembers(made, entries);
  setPlaces(members);
  const relink = relinkWith(members);
  const byPage = groupBy([...members.values()].sort(inOrder), ({ page }) => page);
  const bodyOf = (page) => (byPage.get(page) ?? []).map((member) => sectionOf(member, relink)).join('\n\n');
  const pages = new Map();
  const listing = [];
  for (const own of groupBy(entries, ({ dir }) => dir).values()) {
    const [{ specifier: name, file, about }] = own;
    const slug = slugOf(name);
    const modules = [...byPage.keys()].filter((page) => page.startsWith(`${slug}/`)).sort();
    const lists = own.map(({ specifier }) => {
      const found = exported.get(specifier).map((path) => members.get(path));
      const title = own.length === 1 ? '## Exports' : `## ${specifier} {#entry-${specifier.replace(/\W+/g, '-')}}`;
      return `${title}\n\n${tablesOf(found, modules.length > 0, relink)}`;
    });
    pages.set(slug, pageText(file, name, [`${about}.`, ...lists, bodyOf(slug)].join('\n\n')));
    for (const page of modules) {
      const [first, ...others] = byPage.get(page);
      // On the page of one class, its methods are listed.
      const depth = others.length === 0 ? 3 : 2;
      pages.set(page, pageText(first.folder, `${name}: ${moduleOf({ page })}`, bodyOf(page), depth));
    }
    const links = modules.map((page) => `[${moduleOf({ page })}](/api/${page})`);
    listing.push(`| [${name}](/api/${slug}) | ${[`${about}.`, links.join(', ')].join(' ').trim()} |`);
  }
  const intro = 'Find each export of each package, with an example. These pages are generated from the sources.';
  pages.set(
    'index',
    `---\neditLink: false\n---\n# API reference\n\n${intro}\n\n| package | what it is, and its pages |\n| --- | --- |\n${listing.join('\n')}\n`,
  );
  return pages;
}
