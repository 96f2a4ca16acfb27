// Records as tools return them, with one free text; the notation and the other fields vary.
import type { Random } from '../random.ts';

const NAMES = (
  'Amara Okafor|Lukas Brandt|Priya Nair|Tomasz Wilk|Chen Yufei|Sofia Marques|Ibrahim Sesay|Freya Holm|Mateo Rios|Aiko Mori|' +
  'Dana Whitfield|Yusuf Demir|Ingrid Solberg|Paolo Ferri|Nadia Haddad|Owen Pryce|Leila Farrokh|Kwame Mensah|Zuzana Novak|Ravi Menon'
).split('|');
const DOMAINS =
  'northquay.com|helvia.io|brightloom.net|acme-tools.dev|kestrel.org|lumora.co|fjordline.no|papeterie.fr|example.com'.split(
    '|',
  );
const TITLES = (
  'Quarterly numbers|Trip in May|Kitchen refit|Door sensor|Invoice 4471|Weekly sync|Spring offer|Release 2.8|Onboarding|Order update|' +
  'Lease renewal|Board pack|Parking permit|Server room|School fair|Ticket 9920|Research notes|Lunch menu|Delivery slot|Backup report'
).split('|');
const TEXT_KEYS =
  'body content text description message notes comment review summary details snippet bio value output result'.split(
    ' ',
  );
const STATES = 'open closed pending active draft paid shipped unread archived'.split(' ');

type Value = string | number | boolean | readonly string[];
export type Fields = [key: string, value: Value][];

function identifier(random: Random): string {
  return Array.from({ length: 4 + random.below(20) }, () => random.pick([...'abcdef0123456789'])).join('');
}

function date(random: Random): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `20${20 + random.below(7)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
  return random.chance(0.5) ? day : `${day}T${two(random.below(24))}:${two(random.below(60))}:00Z`;
}

function mail(random: Random): string {
  return `${random
    .pick(NAMES)
    .toLowerCase()
    .replace(' ', random.pick(['.', '_', '']))}@${random.pick(DOMAINS)}`;
}

const FILLERS: readonly ((random: Random) => [string, Value])[] = [
  (random) => [random.pick(['id', 'id_', 'uuid', 'message_id', 'ref']), identifier(random)],
  (random) => [random.pick(['date', 'timestamp', 'created_at', 'updated', 'sent', 'due']), date(random)],
  (random) => [random.pick(['author', 'name', 'sender_name', 'assignee', 'customer', 'owner']), random.pick(NAMES)],
  (random) => [random.pick(['from', 'sender', 'email', 'reply_to']), mail(random)],
  (random) => [random.pick(['recipients', 'to', 'cc', 'participants']), [mail(random), mail(random)]],
  (random) => [random.pick(['title', 'subject', 'headline', 'summary_line']), random.pick(TITLES)],
  (random) => [random.pick(['status', 'state', 'folder']), random.pick(STATES)],
  (random) => [
    random.pick(['amount', 'price', 'rating', 'size', 'count', 'score']),
    random.below(9000) / (random.chance(0.5) ? 100 : 1),
  ],
  (random) => [random.pick(['url', 'link', 'permalink']), `https://${random.pick(DOMAINS)}/${identifier(random)}`],
  (random) => [random.pick(['read', 'verified', 'is_public', 'urgent']), random.chance(0.5)],
  (random) => [
    random.pick(['tags', 'labels', 'attachments']),
    random.chance(0.4) ? [] : [random.pick(TITLES), random.pick(STATES)],
  ],
  (random) => [random.pick(['phone', 'tracking', 'account']), String(100_000_000 + random.below(899_999_999))],
];

/** Fields of an invented record; one of them contains the text. */
export function fieldsFor(random: Random, text: string): Fields {
  const fields: Fields = random
    .shuffle(FILLERS)
    .slice(0, 1 + random.below(7))
    .map((filler) => filler(random));
  fields.splice(random.below(fields.length + 1), 0, [random.pick(TEXT_KEYS), text]);
  return fields;
}

function scalar(value: Value): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function yaml(fields: Fields): string {
  return fields
    .map(([key, value]) => {
      if (Array.isArray(value))
        return value.length === 0 ? `${key}: []` : `${key}:\n${value.map((each) => `- ${each}`).join('\n')}`;
      const text = String(value);
      if (text.includes('\n')) return `${key}: |\n${text.replace(/^/gm, '  ')}`;
      return typeof value === 'string' && /[:#]/.test(text)
        ? `${key}: '${text.replaceAll("'", "''")}'`
        : `${key}: ${text}`;
    })
    .join('\n');
}

function repr(fields: Fields): string {
  const quoteText = (text: string) =>
    text.includes("'") && !text.includes('"')
      ? `"${text.replaceAll('\n', '\\n')}"`
      : `'${text.replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  const print = (value: Value): string => {
    if (Array.isArray(value)) return `[${value.map(quoteText).join(', ')}]`;
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return typeof value === 'number' ? String(value) : quoteText(value as string);
  };
  return `{${fields.map(([key, value]) => `'${key}': ${print(value)}`).join(', ')}}`;
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const NOTATIONS: readonly ((fields: Fields) => string)[] = [
  (fields) => JSON.stringify(Object.fromEntries(fields)),
  (fields) => JSON.stringify(Object.fromEntries(fields), undefined, 2),
  (fields) => JSON.stringify([Object.fromEntries(fields)], undefined, 1),
  (fields) => JSON.stringify({ ok: true, result: Object.fromEntries(fields) }),
  yaml,
  (fields) => yaml(fields).replace(/^/gm, '  ').replace(/^ {2}/, '- '),
  repr,
  (fields) => fields.map(([key, value]) => `${key[0]?.toUpperCase()}${key.slice(1)}: ${scalar(value)}`).join('\n'),
  (fields) => `<item>${fields.map(([key, value]) => `<${key}>${escapeHtml(scalar(value))}</${key}>`).join('')}</item>`,
  (fields) =>
    `| ${fields.map(([key]) => key).join(' | ')} |\n|${fields.map(() => '---|').join('')}\n| ${fields.map(([, value]) => scalar(value).replaceAll('\n', ' ')).join(' | ')} |`,
  (fields) =>
    `${fields.map(([key]) => key).join(',')}\n${fields.map(([, value]) => `"${scalar(value).replaceAll('"', '""')}"`).join(',')}`,
  (fields) =>
    `<div class="card">${fields.map(([key, value]) => `<p class="${key}">${escapeHtml(scalar(value))}</p>`).join('\n')}</div>`,
  (fields) => `<tr>${fields.map(([, value]) => `<td>${escapeHtml(scalar(value))}</td>`).join('')}</tr>`,
];
