import type { Entry } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value);
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const oneOf =
  (...names: readonly string[]): Check =>
  (value) =>
    names.some((name) => name === value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** An object with these members. Those whose name ends with a question mark may be absent. */
function objectOf(members: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(members).map(([name, check]) => ({
    name: name.replace('?', ''),
    check,
    isOptional: name.endsWith('?'),
  }));
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(({ name, check, isOptional }) => {
      const member = (value as Fields)[name];
      return (isOptional && member === undefined) || check(member);
    });
}

const OUTCOME = oneOf('allow', 'ask', 'deny');
const SPAN = objectOf({
  start: isCount,
  end: isCount,
  tag: isText,
  likelihood: oneOf('none', 'low', 'medium', 'high'),
  'finding?': isText,
});
const VALUE = objectOf({
  path: isText,
  value: isText,
  trust: oneOf('vouched', 'own', 'open', 'requested', 'suspect', 'flagged'),
  'place?': objectOf({ entry: isText, start: isCount, end: isCount }),
});
const VERDICT = { outcome: OUTCOME, rule: isText, 'cell?': isText };

const ENTRIES: Readonly<Record<Entry['type'], Check>> = {
  text: objectOf({
    id: isText,
    'at?': isTime,
    origin: oneOf('system', 'user', 'external', 'memory', 'model'),
    'name?': isText,
    text: isText,
    spans: listOf(SPAN),
  }),
  call: objectOf({
    ...VERDICT,
    id: isText,
    'at?': isTime,
    server: isText,
    tool: isText,
    'effect?': isText,
    arguments: isText,
    'wasMade?': isFlag,
    reason: isText,
    values: listOf(VALUE),
    'proposed?': objectOf(VERDICT),
  }),
  end: objectOf({ entries: isCount, isCut: isFlag }),
};

/** Checks the form of an entry. A file may come from anyone. */
export function isEntry(value: unknown): value is Entry {
  const type = (value as Fields | null)?.type;
  return typeof type === 'string' && Object.hasOwn(ENTRIES, type) && ENTRIES[type as Entry['type']](value);
}
