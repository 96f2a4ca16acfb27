import { fitLines } from '../../fit-lines.ts';
import type { HookOutcome } from '../../hook/event.ts';
import type { Found } from '../survey.ts';
import { failsClosed } from './entries.ts';
import type { HookLocation } from './locations.ts';

const FAILURE: Readonly<Record<HookOutcome, string>> = {
  allow: 'its calls are made as if there were no hooks',
  ask: 'you are asked about its calls, or they are denied where the host cannot ask',
  deny: 'its calls are denied',
};

/** The outcome if the command is missing or crashes, so that no option is read. */
function withoutCommand(hosts: readonly HookLocation[], onFailure: HookOutcome): string {
  const namesOf = (isClosed: boolean): string =>
    hosts.flatMap(({ host }) => (failsClosed(host.host, onFailure) === isClosed ? host.name : [])).join(', ');
  const [closed, open] = [namesOf(true), namesOf(false)];
  const start = 'If the command itself is missing or crashes,';
  if (closed === '') return `${start} ${FAILURE.allow}.`;
  if (open === '') return `${start} ${FAILURE.deny}.`;
  return `${start} ${FAILURE.allow} in ${open}, and ${FAILURE.deny} in ${closed}.`;
}

/** Notes for the user before hooks are added: how they fail, and what each host does not tell. */
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
  const failure = `If sallyport cannot check an event of a host, ${FAILURE[onFailure]} (change it with --on-failure). ${withoutCommand(added, onFailure)}`;
  const lacks = added.map(({ host }) => `  ${host.name}: ${host.lacks.join(' ')}\n`);
  return fitLines(`\n${failure}\n\nWhat hooks cannot do:\n${lacks.join('')}\n`, columns);
}
