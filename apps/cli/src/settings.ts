import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Preset } from '@sallyport/core';
import { EFFECTS, PRESETS } from '@sallyport/core/stages';
import { MODES, type Mode, STRUCTURED, type Structured, type ToolKnowledge } from '@sallyport/mcp-proxy';
import { SECRETS, type Secrets } from './secrets/finder.ts';
import { settingsFile } from './state.ts';
import { CommandError } from './terminal-text.ts';

/** The user's settings for one server. */
export interface ServerSettings {
  readonly mode?: Mode;
  readonly structured?: Structured;
  readonly preset?: Preset;
  /** The treatment of keys, tokens and passwords in calls and results. */
  readonly secrets?: Secrets;
  /** Only reports calls, and never holds them. */
  readonly observe?: boolean;
  readonly trusted?: boolean;
  /** Seconds that a held call waits for an answer. */
  readonly askTimeout?: number;
  /** Shows on the desktop what the client or host does not show: held calls and definitions, and denied calls. */
  readonly notify?: boolean;
  /** In Claude Code, takes prompts of programs, such as those of the Agent SDK, as the user's words. */
  readonly sdkIsUser?: boolean;
  /** Kilobytes of one text that reach the model. */
  readonly limit?: number;
  readonly tools?: Readonly<Record<string, ToolKnowledge>>;
  /** The tools that are offered; `*` matches any characters. @default all */
  readonly allow?: readonly string[];
  /** The tools that are not offered, whatever `allow` says. */
  readonly hide?: readonly string[];
}

interface SettingsFile {
  readonly defaults?: ServerSettings;
  readonly servers?: Readonly<Record<string, ServerSettings>>;
}

const SHAPES = ['id', 'uuid', 'timestamp', 'date', 'time', 'integer', 'number', 'code', 'email'];

const TOOL = {
  type: 'object',
  additionalProperties: false,
  properties: {
    effect: {
      enum: EFFECTS,
      description: "The effect of a call. Default: from the hints of a trusted server, or else from the tool's name.",
    },
    trusted: { type: 'boolean', description: 'No outsider can write any part of the result of this tool.' },
    origin: {
      enum: ['workspace', 'retrieved', 'external'],
      description: 'Where the content of the result comes from.',
    },
    confidentiality: { enum: ['public', 'private', 'secret'], description: 'How confidential the result is.' },
    modelText: { type: 'array', items: { type: 'string' }, description: 'Arguments whose text the model composes.' },
    serviceFields: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: { enum: SHAPES },
      description:
        'JSON pointers to fields of JSON results whose values the service itself generates, such as /items/*/price, each with the form of the value.',
    },
  },
};

const NAMES = { type: 'array', items: { type: 'string', minLength: 1 } };

const SERVER = {
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: {
      enum: MODES,
      description:
        'frame: put texts into frames. annotate: only label them, for hosts that use the library. Default: frame.',
    },
    structured: { enum: STRUCTURED, description: 'How structuredContent is passed on. Default: typed.' },
    preset: { enum: PRESETS, description: 'The policy that calls are checked with. Default: balanced.' },
    secrets: {
      enum: SECRETS,
      description:
        'ask: ask about a call that would send out a key, a token or a password that is known by its form. redact: also remove them from what the server sends. off: neither. Default: ask.',
    },
    observe: {
      type: 'boolean',
      description: 'Report what the policy says about calls, and let all of them pass. Default: false.',
    },
    trusted: {
      type: 'boolean',
      description: "Pass the server's definitions on unchanged and believe its hints. Default: false.",
    },
    askTimeout: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      description: 'Seconds that a held call waits for an answer. Default: 50.',
    },
    notify: {
      type: 'boolean',
      description:
        'Show a desktop notification when a held call or definition waits for you, or a host denies a call without a dialog: with notify-send on Linux, osascript on macOS, none on Windows. Default: true.',
    },
    sdkIsUser: {
      type: 'boolean',
      description:
        'For hooks of Claude Code: take the prompts of programs, those of the Agent SDK and of claude -p, as your words. Default: false.',
    },
    limit: {
      type: 'number',
      minimum: 1,
      maximum: 100000,
      description: 'Kilobytes of one text that reach the model. Default: 1000.',
    },
    allow: { ...NAMES, description: 'The only tools that are offered, such as [read_file, "list_*"]. Default: all.' },
    hide: { ...NAMES, description: 'Tools that are not offered, such as ["delete_*"]. Default: none.' },
    tools: { type: 'object', additionalProperties: TOOL },
  },
};

/** The JSON Schema of sallyport.yaml, for editors and for validation. */
export const SETTINGS_SCHEMA: Readonly<Record<string, unknown>> = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'sallyport.yaml',
  type: 'object',
  additionalProperties: false,
  properties: { defaults: SERVER, servers: { type: 'object', additionalProperties: SERVER } },
};

function parse(path: string, text: string): SettingsFile {
  const require = createRequire(import.meta.url);
  // Loaded on demand: without a settings file, `wrap` starts faster.
  const yaml = require('yaml') as typeof import('yaml');
  const { Ajv } = require('ajv') as typeof import('ajv');
  const document = yaml.parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new CommandError(`${path}: not valid YAML: ${problem.message}`, 'correct the file and try again.', 2);
  const value: unknown = document.toJS() ?? {};
  const validate = new Ajv({ allErrors: false }).compile(SETTINGS_SCHEMA);
  if (validate(value)) return value as SettingsFile;
  const [error] = validate.errors ?? [];
  const values = (error?.params as { allowedValues?: readonly unknown[] } | undefined)?.allowedValues?.join(', ');
  const name =
    (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty ?? error?.propertyName;
  const wrong = { additionalProperties: 'has an unknown setting', enum: 'must be one of' }[error?.keyword ?? ''];
  throw new CommandError(
    `${path}: ${error?.instancePath || 'the file'} ${wrong ?? error?.message}${values ? `: ${values}` : ''}${name ? `: ${name}` : ''}`,
    'correct the file; sallyport wrap --schema prints what it may contain.',
    2,
  );
}

/** The settings for a server: its own merged over the defaults. A file named with `--config` must exist. */
export function settingsFor(
  server: string,
  named: string | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ServerSettings {
  const path = named ?? settingsFile(environment);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent && named === undefined) return {};
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const next = isAbsent ? 'give --config a file that exists.' : 'check the permissions of the file.';
    throw new CommandError(`cannot read the settings in ${path} (${code}).`, next, 2);
  }
  const { defaults = {}, servers = {} } = parse(path, text);
  const own = Object.hasOwn(servers, server) ? servers[server] : {};
  return { ...defaults, ...own, tools: { ...defaults.tools, ...own?.tools } };
}
