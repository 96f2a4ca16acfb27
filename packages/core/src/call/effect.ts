/**
 * What a tool does to the world, weakest first. `read` changes nothing and tells nobody; `write` changes what the user has;
 * `send` tells somebody else; `spend` moves money or orders goods; `destroy` cannot be undone; `execute` runs code or may do
 * any of these.
 */
export const EFFECTS = ['read', 'write', 'send', 'spend', 'destroy', 'execute'] as const;

export type Effect = (typeof EFFECTS)[number];

/** What a tool is taken for when nobody said what it does. */
export const STRONGEST: Effect = 'execute';

export function isEffect(value: unknown): value is Effect {
  return (EFFECTS as readonly unknown[]).includes(value);
}

/** The hints that an MCP server gives about a tool. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * The effect that a server's own hints claim. They count only when somebody has looked at this server and pinned its
 * definitions: otherwise a server would decide by itself which of its calls are judged. Hints that are absent have the
 * defaults of the protocol, which are the strong ones.
 */
export function effectOfAnnotations(annotations: ToolAnnotations | undefined, isPinned: boolean): Effect {
  if (!isPinned || typeof annotations !== 'object' || annotations === null) return STRONGEST;
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  if (readOnlyHint === true) return 'read';
  if (destructiveHint !== false) return 'destroy';
  return openWorldHint === false ? 'write' : 'send';
}
