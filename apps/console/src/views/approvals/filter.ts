import type { Approval } from '../../api/types.ts';

/** A choice of held calls, in the address of the page. */
export interface ApprovalFilter {
  readonly person?: string;
  readonly server?: string;
  readonly tool?: string;
}

export const FILTERS: readonly (keyof ApprovalFilter)[] = ['person', 'server', 'tool'];

const VALUE: Readonly<Record<keyof ApprovalFilter, (approval: Approval) => string>> = {
  person: ({ principal }) => principal,
  server: ({ question }) => question.server,
  tool: ({ question }) => question.tool,
};

/** The held calls that a filter leaves. */
export function filtered(all: readonly Approval[], filter: ApprovalFilter): readonly Approval[] {
  return all.filter((each) =>
    FILTERS.every((name) => filter[name] === undefined || VALUE[name](each) === filter[name]),
  );
}

/** The choices of a filter, sorted. */
export function choicesOf(all: readonly Approval[], name: keyof ApprovalFilter): readonly string[] {
  return [...new Set(all.map(VALUE[name]))].sort();
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The filter in an address. */
export function filterIn(search: Readonly<Record<string, unknown>>): ApprovalFilter {
  const found = FILTERS.flatMap((name) => {
    const text = textIn(search[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(found);
}
