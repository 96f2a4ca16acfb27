import { createHash } from 'node:crypto';
import type { Likelihood } from '@sallyport/core/stages';
import type { Finding } from './findings.ts';

export interface CheckedFile {
  readonly file: string;
  readonly findings: readonly Finding[];
}

/** A file of which nothing is known. */
export interface UncheckedFile {
  readonly file: string;
  readonly problem: string;
}

const LEVELS: Readonly<Record<Likelihood, string>> = { none: 'none', low: 'note', medium: 'warning', high: 'error' };

const RULES: Readonly<Record<string, string>> = {
  imperative: 'tells a model what to do',
  exfiltration: 'wants data sent somewhere',
  'role-override': 'wants a model to be something else, or to forget what it was told',
  'system-prompt-shaped': 'looks like the words of whoever runs the model',
  'tool-invocation-shaped': 'looks like a call of a tool',
  concealment: 'wants a model to hide something from its user',
  'answer-steering': 'wants a certain answer',
  obfuscated: 'hides what it says, or is more than can be looked at',
};

/** In a message, brackets make a link, to wherever the writer of the file likes (SARIF 2.1.0, 3.11.6). */
function plain(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&');
}

/** Each name in a path by itself: a `#` or `?` in it would begin another part of the address. */
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
    // The same words of the same kind are the same finding, wherever they move to in the file.
    partialFingerprints: {
      'sallyportWords/v1': createHash('sha256').update(`${finding.tag}\n${finding.text}`).digest('hex'),
    },
    properties: { score: finding.score, ...(finding.path === undefined ? {} : { path: finding.path }) },
  };
}

const HELP =
  'A model that reads this text may take it for its own instructions. Look whether whoever wrote it should be able to speak to a model. The finding is a guess by its words: harmless text is flagged too, and attacks are missed.';

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

/** The findings in the form that code scanning services read: SARIF 2.1.0. A run without findings that left files out says so. */
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
