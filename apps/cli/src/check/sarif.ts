import { createHash } from 'node:crypto';
import type { Likelihood } from '@sallyport/core/stages';
import type { Finding } from './findings.ts';

export interface CheckedFile {
  readonly file: string;
  readonly findings: readonly Finding[];
  /** The number of definitions, if it is a server. */
  readonly definitions?: number;
}

/** A file that could not be checked. */
export interface UncheckedFile {
  readonly file: string;
  readonly problem: string;
}

const LEVELS: Readonly<Record<Likelihood, string>> = { none: 'none', low: 'note', medium: 'warning', high: 'error' };

const RULES: Readonly<Record<string, string>> = {
  imperative: 'tells a model what to do',
  exfiltration: 'asks a model to send data somewhere',
  'role-override': 'asks a model to take another role or to ignore its instructions',
  'system-prompt-shaped': 'imitates a system prompt',
  'tool-invocation-shaped': 'imitates a tool call',
  concealment: 'asks a model to hide something from its user',
  'answer-steering': 'asks a model for a particular answer',
  obfuscated: 'hides its content, or is too complex to be checked completely',
};

/** Escapes brackets: in a message they make a link, whose target the author of the file could choose (SARIF 2.1.0, 3.11.6). */
function plain(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&');
}

/** Encodes each name of the path: a `#` or `?` would start another part of the URI. */
function locationOf(file: string): object {
  const names = file.toWellFormed().replaceAll('\\', '/').split('/');
  return { artifactLocation: { uri: names.map(encodeURIComponent).join('/') } };
}

function messageOf({ tag, likelihood, path }: Finding): string {
  const where = path === undefined ? '' : ` at ${plain(path)}`;
  return `Reads like an instruction to a model (${tag}, ${likelihood})${where}.`;
}

function resultOf(file: string, finding: Finding): object {
  const { line: startLine, column: startColumn, endLine, endColumn } = finding;
  return {
    ruleId: finding.tag,
    level: LEVELS[finding.likelihood],
    message: { text: messageOf(finding) },
    locations: [
      {
        physicalLocation: {
          ...locationOf(file),
          region: { startLine, startColumn, endLine, endColumn },
        },
      },
    ],
    // The same words with the same tag are the same finding, even if they move within the file.
    partialFingerprints: {
      'sallyportWords/v1': createHash('sha256').update(`${finding.tag}\n${finding.text}`).digest('hex'),
    },
    properties: { score: finding.score, ...(finding.path === undefined ? {} : { path: finding.path }) },
  };
}

const HELP =
  'A model that reads this text may follow it as an instruction. Check whether the author of the text should be able to instruct a model. The finding is an estimate from the wording: some harmless text is flagged, and some attacks are missed.';

function ruleOf(id: string): object {
  const text = RULES[id] ?? id;
  const fullDescription = { text: `A passage that ${text}.` };
  return { id, name: id, shortDescription: { text }, fullDescription, help: { text: HELP } };
}

function notificationOf({ file, problem }: UncheckedFile): object {
  return {
    level: 'error',
    message: { text: plain(problem) },
    locations: [{ physicalLocation: locationOf(file) }],
  };
}

/** The findings as SARIF 2.1.0, for code scanning services. Files that could not be checked are listed as notifications. */
export function sarifOf(files: readonly CheckedFile[], unchecked: readonly UncheckedFile[], version: string): string {
  const tags = [...new Set(files.flatMap(({ findings }) => findings.map(({ tag }) => tag)))].sort();
  const driver = {
    name: 'sallyport check',
    version,
    informationUri: 'https://github.com/sallyport/sallyport',
    rules: tags.map(ruleOf),
  };
  const results = files.flatMap(({ file, findings }) => findings.map((finding) => resultOf(file, finding)));
  const invocation = {
    executionSuccessful: unchecked.length === 0,
    toolExecutionNotifications: unchecked.map(notificationOf),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', invocations: [invocation], results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
