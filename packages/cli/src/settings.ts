import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Preset } from '@sallyport/core';
import { EFFECTS, PRESETS } from '@sallyport/core/stages';
import { MODES, type Mode, STRUCTURED, type Structured, type ToolKnowledge } from '@sallyport/mcp-proxy';
import { settingsFile } from './state.ts';
import { CommandError } from './terminal-text.ts';

/** What the user says about one server. */
export interface ServerSettings {
  readonly mode?: Mode;
  readonly structured?: Structured;
  readonly preset?: Preset;
  readonly trusted?: boolean;
  /** Seconds that a person has to answer. */
  readonly askTimeout?: number;
  /** Kilobytes of one text that are shown. */
  readonly limit?: number;
  readonly tools?: Readonly<Record<string, ToolKnowledge>>;
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
      description: 'What a call does to the world. Without it: execute, which may do anything.',
    },
    trusted: { type: 'boolean', description: 'No outsider can author a byte of what the tool answers.' },
    origin: { enum: ['workspace', 'retrieved', 'external'], description: 'Whose content the tool carries.' },
    confidentiality: { enum: ['public', 'private', 'secret'] },
    modelText: { type: 'array', items: { type: 'string' }, description: 'Arguments whose text the model composes.' },
    serviceFields: {
      type: 'object',
      additionalProperties: { enum: SHAPES },
      description: 'Names in JSON results whose values the service writes, and in which form.',
    },
  },
};

const SERVER = {
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: { enum: MODES, description: 'frame: texts stand in envelopes. annotate: for hosts that use the library.' },
    structured: { enum: STRUCTURED, description: 'What becomes of structuredContent.' },
    preset: { enum: PRESETS, description: 'How calls are judged.' },
    trusted: { type: 'boolean', description: 'Definitions are shown as they are, and the hints of this server count.' },
    askTimeout: { type: 'number', exclusiveMinimum: 0, maximum: 3600, description: 'Seconds that a person has.' },
    limit: { type: 'number', minimum: 1, maximum: 100000, description: 'Kilobytes of one text that are shown.' },
    tools: { type: 'object', additionalProperties: TOOL },
  },
};

/** The JSON Schema of sallyport.yaml, for editors and for us. */
export const SETTINGS_SCHEMA: Readonly<Record<string, unknown>> = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'sallyport.yaml',
  type: 'object',
  additionalProperties: false,
  properties: { defaults: SERVER, servers: { type: 'object', additionalProperties: SERVER } },
};

function parse(path: string, text: string): SettingsFile {
  const require = createRequire(import.meta.url);
  // Only whoever has settings waits for these two.
  const yaml = require('yaml') as typeof import('yaml');
  const { Ajv } = require('ajv') as typeof import('ajv');
  const document = yaml.parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw new CommandError(`${path}: ${problem.message}`, 'mend the file.', 2);
  const value: unknown = document.toJS() ?? {};
  const check = new Ajv({ allErrors: false }).compile(SETTINGS_SCHEMA);
  if (check(value)) return value as SettingsFile;
  const [error] = check.errors ?? [];
  const values = (error?.params as { allowedValues?: readonly unknown[] } | undefined)?.allowedValues?.join(', ');
  const name = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
  throw new CommandError(
    `${path}: ${error?.instancePath || 'the file'} ${error?.message}${values ? `: ${values}` : ''}${name ? `: ${name}` : ''}`,
    'see sallyport wrap --schema for what may stand there.',
    2,
  );
}

/** What the user's file says about a server, with its defaults. A file that he named must be there. */
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
    throw new CommandError(`cannot read ${path}`, isAbsent ? 'name a file that exists.' : 'see who may read it.', 2);
  }
  const { defaults = {}, servers = {} } = parse(path, text);
  const own = Object.hasOwn(servers, server) ? servers[server] : {};
  return { ...defaults, ...own, tools: { ...defaults.tools, ...own?.tools } };
}
