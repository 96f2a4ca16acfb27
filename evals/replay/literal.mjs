// What the tools of the traces print, read back: Python literals, JSON, and YAML as PyYAML writes it.
import { isPair, isSeq, parseDocument, visit } from 'yaml';
import { readLiteral } from './python.mjs';

/**
 * Where a text stands in what a tool printed.
 * @typedef {object} Place
 * @property {(text: string) => string} escape writes a text as it has to be written there
 * @property {number} end behind the string that holds the place
 * @property {(name: string, text: string) => string} beside a further string for the same record, to be put at `end`
 */

// PyYAML prints the fields of records, which are names. Prose has colons too, but seldom two lines of that form at its start.
const NAME = /^[a-z_][a-z0-9_]*$/;
const RECORD = /^(?:- )?[a-z_][a-z0-9_]*:(?: |\n)/;

/** @param {unknown} value */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every(isName);
}

/** @param {string} key */
function isName(key) {
  return NAME.test(key);
}

/**
 * Resolves an unquoted scalar as PyYAML would, which follows YAML 1.1; dates stay text, as do numbers that a double rounds.
 * @param {string} text
 */
function resolvePlain(text) {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return null;
  if (/^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/.test(text)) return true;
  if (/^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/.test(text)) return false;
  if (/^[-+]?(?:0|[1-9]\d*)$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  return /^[-+]?\d+\.\d*(?:[eE][-+]\d+)?$/.test(text) ? Number(text) : text;
}

/** @param {string} text */
function readYaml(text) {
  if (!RECORD.test(text)) return undefined;
  // Every scalar as a string first: what the printer left unquoted is known by its own rules, not by those of YAML 1.2.
  const document = parseDocument(text, { schema: 'failsafe', logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && node.type === 'PLAIN') node.value = resolvePlain(node.value);
    },
  });
  const json = document.toJS();
  const isPrinted = Array.isArray(json) ? json.every(isRecord) : isRecord(json) && Object.keys(json).length > 1;
  return isPrinted ? { json, document } : undefined;
}

/** @param {string} text */
function tryYaml(text) {
  try {
    return readYaml(text);
  } catch {
    // Nested too deep, or aliases that multiply: no tool printed it.
    return undefined;
  }
}

/** A number that a double rounds is left to the reader of literals, which keeps its digits. */
function refuseRounded(_key, value) {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError('a number would be rounded');
  return value;
}

/** @param {string} text */
function readJson(text) {
  try {
    const json = JSON.parse(text, refuseRounded);
    return typeof json === 'object' && json !== null ? { json } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The structure that a whole text prints; nothing for prose, and nothing where it could be either.
 * @param {string} text
 * @returns {{ json: unknown } | undefined}
 */
export function parsePrinted(text) {
  const literal = readJson(text) ?? readLiteral(text);
  if (literal) return literal;
  const yaml = tryYaml(text);
  return yaml && { json: yaml.json };
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {Place | undefined}
 */
function findInLiteral(text, at) {
  /** @type {import('./python.mjs').Stretch | undefined} */
  let holder;
  const read = readLiteral(text, (range) => {
    if (range.start < at && at < range.end) holder = range;
  });
  if (!read || !holder) return undefined;
  const { start, end, isListed } = holder;
  return {
    escape: (written) => written.replace(text[start] === "'" ? /[\\']/g : /[\\"]/g, '\\$&'),
    end,
    // What JSON writes, Python reads.
    beside: (name, value) => `, ${isListed ? '' : `"${name}": `}${JSON.stringify(value)}`,
  };
}

/** @type {Record<string, (text: string) => string>} */
const YAML_ESCAPES = {
  QUOTE_SINGLE: (text) => text.replaceAll("'", "''"),
  QUOTE_DOUBLE: (text) => text.replace(/[\\"]/g, '\\$&'),
};

/**
 * @param {string} text
 * @param {number} at
 * @returns {Place | undefined}
 */
function findInYaml(text, at) {
  const read = tryYaml(text);
  /** @type {Place | undefined} */
  let place;
  if (read)
    visit(read.document, {
      Scalar(key, { range, type }, path) {
        if (key === 'key' || !Object.hasOwn(YAML_ESCAPES, type) || at <= range[0] || at >= range[1]) return;
        const parent = path.at(-1);
        const isListed = isSeq(parent);
        // Block style: a line of its own, as far in as the name or the list that it follows.
        const first = isPair(parent) ? parent.key.range[0] : parent.range[0];
        const indent = ' '.repeat(first - text.lastIndexOf('\n', first - 1) - 1);
        place = {
          escape: YAML_ESCAPES[type],
          end: range[1],
          beside: (name, value) => `\n${indent}${isListed ? '- ' : `${name}: `}${JSON.stringify(value)}`,
        };
        return visit.BREAK;
      },
    });
  return place;
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {Place}
 */
export function findPlace(text, at) {
  return (
    findInLiteral(text, at) ??
    findInYaml(text, at) ?? { escape: (written) => written, end: text.length, beside: (_name, value) => ` ${value}` }
  );
}
