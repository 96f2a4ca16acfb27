import type { AuditRow } from '../../api/types.ts';
import type { Tone } from '../../parts/badge.tsx';

/** An event in one line. All of it may be text of others. */
export interface EventLine {
  readonly who: string;
  readonly what: string;
  readonly result?: { readonly tone: Tone; readonly word: string };
  readonly rule?: string;
}

const TONES: Readonly<Record<string, Tone>> = {
  allow: 'good',
  ask: 'warn',
  deny: 'bad',
  approved: 'good',
  denied: 'bad',
  rejected: 'bad',
  refused: 'bad',
  revoked: 'bad',
};

/** The subject of an event: the first of these members that it has. */
const SUBJECTS = ['tool', 'server', 'webhook', 'person', 'principal', 'version', 'tag', 'id'];

function textIn(event: AuditRow['event'], name: string): string {
  const value = event[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function resultOf(word: string): Pick<EventLine, 'result'> {
  return word === '' ? {} : { result: { tone: TONES[word] ?? 'plain', word } };
}

/** The tool of a call with its server, which the events of checked calls name it with already. */
function toolIn(event: AuditRow['event']): string {
  const [server, tool] = [textIn(event, 'server'), textIn(event, 'tool')];
  return tool.startsWith(`${server}.`) ? tool : `${server}.${tool}`;
}

/** Says in one line who did what. */
export function lineOf({ type, event }: AuditRow): EventLine {
  if (type === 'call')
    return {
      who: textIn(event, 'principal'),
      what: toolIn(event),
      ...resultOf(textIn(event, 'outcome')),
      rule: textIn(event, 'rule'),
    };
  if (type === 'answer') return { who: textIn(event, 'principal'), what: `answer of ${textIn(event, 'server')}` };
  const subject = SUBJECTS.map((name) => textIn(event, name)).find((text) => text !== '') ?? '';
  return { who: textIn(event, 'by'), what: subject, ...resultOf(textIn(event, 'what')) };
}
