import type { PolicyBody } from '../../api/types.ts';

/** A policy as people edit it. */
export function textOf(body: PolicyBody): string {
  return JSON.stringify(body, null, 2);
}

/** The policy in a text; a message if it is not one. The gateway checks what is in it. */
export function bodyIn(text: string): { readonly body: PolicyBody } | { readonly wrong: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return { wrong: 'The policy must be an object.' };
    return { body: body as PolicyBody };
  } catch (cause) {
    return { wrong: `Not valid JSON: ${cause instanceof Error ? cause.message : ''}` };
  }
}
