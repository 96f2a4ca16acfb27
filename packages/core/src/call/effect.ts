/**
 * What a tool does, weakest first. `read` changes nothing and sends nothing; `fetch` reads from an address, and tells that host
 * what the address carries; `write` changes content that the user sees; `send` gives data to others; `configure` changes what
 * happens later or who may do what, such as mail rules, permissions, payees and settings; `spend` moves money or orders goods;
 * `destroy` cannot be undone; `execute` runs code or may do any of these.
 *
 * @example
 * ```ts
 * const isEffect = EFFECTS.some((effect) => effect === config.effect);
 * ```
 */
export const EFFECTS = ['read', 'fetch', 'write', 'send', 'configure', 'spend', 'destroy', 'execute'] as const;

/**
 * What a tool does; see `EFFECTS`.
 *
 * @example
 * ```ts
 * const effect: Effect = 'send';
 * const sendMail = defineTool({ name: 'send_mail', effect });
 * ```
 */
export type Effect = (typeof EFFECTS)[number];

/** The effect of a tool that declares none. */
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
 * The effect that a server's own hints claim. They count only if a person has reviewed the server and pinned its definitions;
 * otherwise a server could decide which of its calls are checked. Absent hints have the defaults of the protocol, which are the
 * strong ones: a tool that only reads, but not only from a closed domain, tells others what it asks them for.
 *
 * @example
 * ```ts
 * const effect = effectOfAnnotations(tool.annotations, pins.has(tool.name));
 * ```
 */
export function effectOfAnnotations(annotations: ToolAnnotations | undefined, isPinned: boolean): Effect {
  if (!isPinned || typeof annotations !== 'object' || annotations === null) return STRONGEST;
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  if (readOnlyHint === true) return openWorldHint === false ? 'read' : 'fetch';
  if (destructiveHint !== false) return 'destroy';
  return openWorldHint === false ? 'write' : 'send';
}
