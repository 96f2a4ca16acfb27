import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '@sallyport/core/adapter';
import { checkPrivate, readJsonFile, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';

/** How an endpoint is spoken to: OpenAI's chat completions, which most servers offer, or Anthropic's messages. */
export const FORMATS = ['openai', 'anthropic'] as const;
/** The clients that can be a judge. */
export const CLIENTS = ['claude-code', 'codex', 'gemini-cli'] as const;
/** Where the key of an endpoint is kept. */
const KEPT = ['keychain', 'file'] as const;

export type Format = (typeof FORMATS)[number];
export type Client = (typeof CLIENTS)[number];

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** A model at an address. */
export interface EndpointSetUp {
  readonly type: 'endpoint';
  readonly endpoint: string;
  readonly format: Format;
  readonly model: string;
  /** Absent if the endpoint needs no key, such as one on this machine. */
  readonly key?: (typeof KEPT)[number];
  readonly price?: Price;
}

/** The model of a coding agent's own client. */
export interface ClientSetUp {
  readonly type: 'client';
  readonly client: Client;
  /** The path of the program, as found when the person set it up: what `PATH` says later does not count. */
  readonly program: string;
  /** @default that of the client */
  readonly model?: string;
  readonly price?: Price;
}

/** The judge of hooks, as a person has set it up. */
export type SetUp = EndpointSetUp | ClientSetUp;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isOneOf = (names: readonly string[], value: unknown): boolean => names.includes(value as string);
const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0;

function isSetUp(value: unknown): value is SetUp {
  if (!isFields(value)) return false;
  const { type, endpoint, format, model, key, client, program, price } = value;
  const isPrice = price === undefined || (isFields(price) && isAmount(price.input) && isAmount(price.output));
  if (!isPrice) return false;
  if (type === 'client') return isOneOf(CLIENTS, client) && isText(program) && (model === undefined || isText(model));
  const isKept = key === undefined || isOneOf(KEPT, key);
  return type === 'endpoint' && isText(endpoint) && isOneOf(FORMATS, format) && isText(model) && isKept;
}

/** The file with the set-up: the user's own. A project's file never counts, since its author could choose the judge. */
function fileIn(stateFolder: string): string {
  return join(stateFolder, 'judge.json');
}

/** The set-up, if there is one. */
export function readSetUp(stateFolder: string): SetUp | undefined {
  const path = fileIn(stateFolder);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  checkPrivate(path, 'Then set up the judge again.');
  const value = readJsonFile(path);
  if (isSetUp(value)) return value;
  throw new CommandError(`${path} is not the set-up of a judge.`, 'set it up again: sallyport judge set --help');
}

export function writeSetUp(stateFolder: string, setUp: SetUp): void {
  writeJsonFile(fileIn(stateFolder), setUp);
}

export function removeSetUp(stateFolder: string): void {
  rmSync(fileIn(stateFolder), { force: true });
}

/** The judge in a few words, such as gpt-5-mini at api.openai.com. */
export function nameOf(setUp: SetUp): string {
  if (setUp.type === 'endpoint') return `${setUp.model} at ${new URL(setUp.endpoint).host}`;
  return `${setUp.model ?? 'the usual model'} of ${setUp.client}`;
}
