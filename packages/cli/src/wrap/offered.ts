import type { ServerSettings } from '../settings.ts';

function matcher(names: readonly string[]): (tool: string) => boolean {
  const patterns = names.map((name) => {
    const parts = name.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 'su');
  });
  return (tool) => patterns.some((pattern) => pattern.test(tool));
}

/** Whether a tool is offered to the client, by the user's lists. */
export function offered({ allow, hide = [] }: Pick<ServerSettings, 'allow' | 'hide'>): (tool: string) => boolean {
  const isAllowed = allow === undefined ? () => true : matcher(allow);
  const isHidden = matcher(hide);
  return (tool) => isAllowed(tool) && !isHidden(tool);
}
