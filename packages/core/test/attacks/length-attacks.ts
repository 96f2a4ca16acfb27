// Attacks with long or cut content, many of which succeed against other libraries.
import type { ClassifierV1 } from '../../src/index.ts';
import { escaped, type ResultAttack } from './attack.ts';
import { cutEvent, fetched, ORDER, QUOTED, spotted, spotter } from './fetched.ts';

/** Content that is shown unchanged and unmarked. */
function untouched(title: string, weakness: string, content: string, classifier: ClassifierV1): ResultAttack {
  return fetched(title, weakness, { content, classifier }, { body: content });
}

function blindTail(title: string, weakness: string, filler: number): ResultAttack {
  const content = `${'x'.repeat(filler)} ${ORDER}`;
  return fetched(
    title,
    weakness,
    { content, classifier: spotter },
    { body: `${'x'.repeat(filler)} ${QUOTED}`, events: [spotted] },
  );
}

const DEFENDER = 'seen in defender:';
const GUARD = 'seen in llm-prompt-guard:';
const MOAT = 'seen in llm-moat:';

export const lengthAttacks: readonly ResultAttack[] = [
  blindTail('an order after 10,000 characters', `${DEFENDER} tier 2 cuts at 10,000`, 10_000),
  blindTail('an order after 16 KB', `${MOAT} throws over 16 KB`, 16_384),
  blindTail('an order after 24 KB', `${MOAT} stream says low after 24 KB`, 24_576),
  blindTail('an order after 50 KB', `${DEFENDER} tier 1 reads nothing after 50 KB`, 51_200),
  fetched(
    'an order after 100,000 characters, within the limit',
    `${GUARD} nothing after 100,000 characters is read`,
    { content: `${'x'.repeat(100_000)} ${ORDER}`, classifier: spotter, limits: { maxBytes: 200_000 } },
    { body: `${'x'.repeat(100_000)} ${QUOTED}`, events: [spotted] },
  ),
  fetched(
    'an order after 100,000 characters, which is cut and reported',
    `${GUARD} nothing after 100,000 characters is read`,
    { content: `${'x'.repeat(100_000)} ${ORDER}`, classifier: spotter },
    {
      body: `${'x'.repeat(100_000)}<omitted_bytes {1} count=29>`,
      ending: ' shown=100000 of=100029',
      events: [cutEvent(100_029, 100_000)],
    },
  ),
  fetched(
    'an order in the tail that is kept',
    `${GUARD} nothing after 100,000 characters is read`,
    {
      content: `${'x'.repeat(100_000)} ${ORDER}`,
      classifier: spotter,
      limits: { maxBytes: 60, keep: 'head-and-tail' },
    },
    {
      body: `${'x'.repeat(30)}<omitted_bytes {1} count=99969>x ${QUOTED}`,
      ending: ' shown=60 of=100029',
      events: [cutEvent(100_029, 60), spotted],
    },
  ),
  fetched(
    '500 KB of harmless text, which is cut and reported',
    `${GUARD} wrapToolResult cuts without a marker`,
    { content: 'lorem '.repeat(85_333) },
    {
      body: `${'lorem '.repeat(16_666)}lore<omitted_bytes {1} count=411998>`,
      ending: ' shown=100000 of=511998',
      events: [cutEvent(511_998, 100_000)],
    },
  ),
  untouched(
    '60 KB of harmless text',
    'seen in vard and mcpSecurity: long content counts as an injection',
    'word. '.repeat(10_000),
    spotter,
  ),
  untouched(
    'a line of 5,000 characters',
    'seen in @llm-guardrails/core: long lines count as an injection',
    'lorem '.repeat(833),
    spotter,
  ),
  fetched(
    'a surrogate pair across the cut',
    'a cut inside a surrogate pair',
    { content: `ab\u{1f300}cd`, limits: { maxBytes: 5 } },
    { body: 'ab<omitted_bytes {1} count=6>', ending: ' shown=2 of=8', events: [cutEvent(8, 2)] },
  ),
  fetched(
    'a surrogate pair across the beginning of the tail',
    'a cut inside a surrogate pair',
    { content: `${'a'.repeat(20)}\u{1f300}bcd`, limits: { maxBytes: 10, keep: 'head-and-tail' } },
    { body: 'aaaaa<omitted_bytes {1} count=19>bcd', ending: ' shown=8 of=27', events: [cutEvent(27, 8)] },
  ),
  fetched(
    'a lone surrogate without a cut',
    'lone surrogates that make a session unusable (claude-code#56064)',
    { content: 'a\ud83cb' },
    { body: 'a~xd83c~b', events: [escaped(1)] },
  ),
  fetched(
    'a character reference across the cut',
    'a cut inside a character reference',
    { content: 'abc&lt;system&gt;', limits: { maxBytes: 5 } },
    { body: 'abc<omitted_bytes {1} count=14>', ending: ' shown=3 of=17', events: [cutEvent(17, 3)] },
  ),
  fetched(
    'a JSON escape across the cut',
    'a cut inside an escape',
    { content: { json: 'ab\u0001c' }, limits: { maxBytes: 7 } },
    {
      body: '"ab<omitted_bytes {1} count=8>',
      ending: ' shown=3 of=11',
      events: [cutEvent(11, 3)],
    },
  ),
  fetched(
    'a flagged sentence across the cut',
    'a cut that removes the closing tag',
    { content: `${ORDER} and obey`, classifier: spotter, limits: { maxBytes: ORDER.length } },
    {
      body: `${QUOTED}<omitted_bytes {1} count=9>`,
      ending: ' shown=28 of=37',
      events: [cutEvent(37, 28), spotted],
    },
  ),
];
