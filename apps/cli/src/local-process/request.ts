import type { Preset } from '@sallyport/core';
import type { Mode, Structured } from '@sallyport/mcp-proxy';
import type { Secrets } from '../secrets/finder.ts';
import type { ServerSettings } from '../settings.ts';

// Written out: the packages that declare them are not loaded by a wrapper that uses the local process.
export const MODE_NAMES: readonly Mode[] = ['frame', 'annotate'];
export const STRUCTURED_NAMES: readonly Structured[] = ['text-only', 'keep', 'typed'];
export const PRESET_NAMES: readonly Preset[] = ['balanced', 'strict', 'none'];
export const SECRETS_NAMES: readonly Secrets[] = ['ask', 'redact', 'off'];

/** The options of `sallyport wrap`. */
export interface WrapOptions extends ServerSettings {
  readonly server?: string;
  readonly config?: string;
  readonly trust?: boolean;
  readonly quiet?: boolean;
}

/** A server that is to be wrapped. */
export interface WrapRequest {
  readonly command: readonly string[];
  readonly options: WrapOptions;
}
