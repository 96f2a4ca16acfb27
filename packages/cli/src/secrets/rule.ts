import type { Argument, Effect, GateQuestion, Rule } from '@sallyport/core';
import { type FoundSecret, findSecrets } from './find.ts';

/** What happens to secrets: calls that carry one are asked about, they are also removed from results, or neither. */
export const SECRETS = ['ask', 'redact', 'off'] as const;
export type Secrets = (typeof SECRETS)[number];

/** Effects that stay on this machine if the tool does. A search of a local server can be one of the web: its name does not tell. */
const LOCAL: ReadonlySet<Effect> = new Set(['read', 'write', 'destroy']);

/** Names of servers whose files are those of this machine. A service has files and paths too, such as a gist or an object of a bucket. */
const FILE_SERVER = /^(?:(?:my|local)[-_ ]?)?files?$|(?:^|[^a-z])(?:file[-_ ]?system|fs)(?:[^a-z]|$)/i;

/** Whether what a server is given stays on this machine, by its name. */
export function isFileServer(name: string): boolean {
  return FILE_SERVER.test(name);
}

/** What is known about the tools of a session. */
export interface SecretOptions {
  /** Whether a tool's calls are looked at. */
  isOn(tool: string): boolean;
  /** Whether what a tool is given stays on this machine. A file of the user is written every day with what is in another. */
  staysHere(tool: string): boolean;
}

/** The secrets of an argument that the user did not type, also those in another encoding. */
function secretsOf({ decode, trace }: GateQuestion, { text, provenance }: Argument): readonly FoundSecret[] {
  if (provenance.vouchedBy !== undefined) return [];
  const texts = decode(text) ?? [text];
  return texts.flatMap(findSecrets).filter((secret) => trace(secret.text, 'secret').vouchedBy === undefined);
}

const HOST =
  /(?:[a-z][a-z0-9+.-]*:\/\/(?:[^\s/?#@"']*@)?|@)((?:[a-z0-9-]{1,40}\.){1,6}[a-z]{2,20}|\d{1,3}(?:\.\d{1,3}){3})/i;

/** The host that a call names, for a person to read. One that holds the secret itself is not shown. */
function hostIn({ arguments: all }: GateQuestion, secrets: readonly FoundSecret[]): string | undefined {
  const hosts = all.flatMap(({ text }) => HOST.exec(text)?.[1]?.toLowerCase() ?? []);
  const isClean = (host: string): boolean => !secrets.some(({ text }) => holds(host, text));
  return hosts.find(isClean);
}

/** A part of this length is taken for the secret itself. */
const MIN_PART = 12;

function holds(host: string, secret: string): boolean {
  const lower = secret.toLowerCase();
  return host.split('.').some((label) => label.length >= MIN_PART && lower.includes(label.slice(0, MIN_PART)));
}

function article(kind: string): string {
  return /^(?:[aeiou]|npm)/i.test(kind) ? 'an' : 'a';
}

/** "a GitHub token and a password" */
function namesOf(secrets: readonly FoundSecret[]): string {
  const kinds = [...new Set(secrets.map(({ kind }) => kind))];
  const [first = '', second, ...rest] = kinds.map((kind) => `${article(kind)} ${kind}`);
  if (second === undefined) return first;
  return rest.length === 0 ? `${first} and ${second}` : `${first}, ${second} and other secrets`;
}

function sentence(question: GateQuestion, secrets: readonly FoundSecret[]): string {
  const host = hostIn(question, secrets);
  if (host !== undefined) return `This would send ${namesOf(secrets)} to ${host}.`;
  if (question.effect === 'execute') return `This would run something that is given ${namesOf(secrets)}.`;
  return `This ${question.effect === 'read' ? 'may' : 'would'} send out ${namesOf(secrets)}.`;
}

/** Asks about a call that may send out a secret which the user did not type. */
export function askAboutSecrets({ isOn, staysHere }: SecretOptions): Rule {
  return (question) => {
    const { effect, call } = question;
    const stays = LOCAL.has(effect) && staysHere(call.tool);
    if (stays || !isOn(call.tool)) return undefined;
    const secrets = question.arguments.flatMap((argument) => secretsOf(question, argument));
    // Without evidence: it would quote the secret.
    return secrets.length === 0 ? undefined : { outcome: 'ask', reason: sentence(question, secrets) };
  };
}
