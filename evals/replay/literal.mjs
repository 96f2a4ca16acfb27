// Parses what the tools of the traces print: Python literals, JSON, and YAML as PyYAML writes it.
import { parseDocument, visit } from 'yaml';
import { readLiteral } from './python.mjs';

// PyYAML prints the fields of records, which are names. Prose has colons too, but rarely two such lines at its start.
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
  // Every scalar as a string first: unquoted scalars follow the rules of PyYAML, not those of YAML 1.2.
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
    // Nested too deeply, or with aliases that multiply: not the output of a tool.
    return undefined;
  }
}

/** A number that a double rounds is left to readLiteral, which keeps its digits. */
function refuseRounded(_key, value) {
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError('the number cannot be represented exactly');
  return value;
}

/** @param {string} text */
function readJson(text) {
  try {
    const json = JSON.parse(text, refuseRounded);
    return typeof json === 'object' && json !== null ? { json } : undefined;
  } catch {
    // Not JSON: the other formats are tried next.
    return undefined;
  }
}

/**
 * The structure that a whole text prints; undefined for prose, and where it could be either.
 * @param {string} text
 * @returns {{ json: unknown } | undefined}
 */
export function parsePrinted(text) {
  const literal = readJson(text) ?? readLiteral(text);
  if (literal) return literal;
  const yaml = tryYaml(text);
  return yaml && { json: yaml.json };
}

/** @type {Record<string, (text: string) => string>} */
const YAML_ESCAPES = {
  QUOTE_SINGLE: (text) => text.replaceAll("'", "''"),
  QUOTE_DOUBLE: (text) => text.replace(/[\\"]/g, '\\$&'),
};

/** The start of the literal string that contains a position. */
function startInLiteral(text, at) {
  let found;
  const read = readLiteral(text, (start, end) => {
    if (start < at && at < end) found = start;
  });
  return read && found;
}

function styleInYaml(text, at) {
  let style;
  const read = tryYaml(text);
  if (read)
    visit(read.document, {
      Scalar(key, { range, type }) {
        if (key === 'key' || !Object.hasOwn(YAML_ESCAPES, type) || at <= range[0] || at >= range[1]) return;
        style = type;
        return visit.BREAK;
      },
    });
  return style;
}

/**
 * Writes a text for the string that contains a position of a tool's output.
 * @param {string} text
 * @param {number} at
 * @returns {(written: string) => string}
 */
export function escaperAt(text, at) {
  const start = startInLiteral(text, at);
  if (start !== undefined) return (written) => written.replace(text[start] === "'" ? /[\\']/g : /[\\"]/g, '\\$&');
  const style = styleInYaml(text, at);
  return style === undefined ? (written) => written : YAML_ESCAPES[style];
}
