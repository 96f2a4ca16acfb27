import { fitLines } from '../../fit-lines.ts';
import type { HookOutcome } from '../../hook/event.ts';
import type { Found } from '../survey.ts';
import type { HookLocation } from './locations.ts';

const FAILURE: Readonly<Record<HookOutcome, string>> = {
  allow: 'its calls are made as if there were no hooks',
  ask: 'you are asked about its calls, or they are denied where the host cannot ask',
  deny: 'its calls are denied',
};

/** What a user should know before hooks are added: how they fail, and what each host does not tell. */
export function hookNotes(
  hosts: readonly HookLocation[],
  changed: readonly Found[],
  onFailure: HookOutcome,
  columns: number | undefined,
): string {
  const isAdded = ({ path }: HookLocation): boolean =>
    changed.some(
      ({ location, planned }) =>
        location.path === path &&
        planned.outcomes.some(({ type, name, reason }) => type === 'changed' && name === 'hooks' && reason !== ''),
    );
  const added = hosts.filter(isAdded);
  if (added.length === 0) return '';
  const failure = `If sallyport cannot judge an event of a host, ${FAILURE[onFailure]} (change it with --on-failure). If the command itself is missing, hosts go on without it.`;
  const lacks = added.map(({ host }) => `  ${host.name}: ${host.lacks.join(' ')}\n`);
  return fitLines(`\n${failure}\n\nWhat hooks cannot do:\n${lacks.join('')}\n`, columns);
}
