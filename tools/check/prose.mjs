// Divides a file into comments, prose strings, identifiers and document text. Every view has the length of the file,
// and what does not belong to it is NUL, so an offset in a view is an offset in the file.
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript-5.4');
const { SyntaxKind } = ts;

const CODE = /\.(?:[cm]?[jt]sx?)$/;
const HASH_COMMENTS = /\.(?:py|ya?ml|sh)$|(?:^|\/)Dockerfile$/;
const TEST = /(?:^|\/)test\//;
const TITLED = /^(?:describe|it|test|bench|suite)\b/;
const THROWS = /^(?:invalid|refuse|reject|check|require|assert|demand|fail|wrong|option)[A-Z]?\w*$/;
/** Comments in code whose literals are already blank. Leading stars and slashes become blank later. */
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** @typedef {{ comments: string, strings: string, errors: string, prose: string, identifiers: { at: number, name: string }[] }} Views */

const blank = (text) => '\0'.repeat(text.length);
const spaces = (text) => ' '.repeat(text.length);

/** A view that shows the given ranges and the white space between them. */
function viewOf(text, ranges) {
  const pieces = [];
  let end = 0;
  for (const [from, to] of ranges) {
    const between = text.slice(end, from);
    pieces.push(/^\s*$/.test(between) ? between : blank(between), text.slice(from, to));
    end = to;
  }
  pieces.push(blank(text.slice(end)));
  return pieces.join('');
}

/** The title of a test, or the message of an assertion: the only strings of a test that are certainly ours. */
function isTestProse(node, parent) {
  if (parent === undefined || !ts.isCallExpression(parent)) return false;
  const callee = parent.expression.getText();
  if (parent.arguments[0] === node) return TITLED.test(callee);
  return parent.arguments[1] === node && callee === 'expect';
}

/** `new SomeError(...)`, and calls such as `invalid(...)` and `check(condition, ...)` that throw one. */
function isErrorCall(node) {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  const callee = node.expression.getText();
  return ts.isNewExpression(node) ? callee.endsWith('Error') : THROWS.test(callee);
}

function readCode(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isTest = TEST.test(file);
  const [literals, prose, errors, identifiers] = [[], [], [], []];
  let errorsAround = 0;
  const addLiteral = (node, isProse) => {
    const range = [node.getStart(source), node.end];
    literals.push(range);
    if (isProse) prose.push(range);
    if (errorsAround > 0 && !isTest) errors.push(range);
  };
  const visit = (node, parent) => {
    const isError = isErrorCall(node);
    if (isError) errorsAround++;
    visitInside(node, parent);
    if (isError) errorsAround--;
  };
  const visitInside = (node, parent) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
      identifiers.push({ at: node.getStart(source), name: node.text });
    else if (ts.isStringLiteral(node) || node.kind === SyntaxKind.NoSubstitutionTemplateLiteral)
      addLiteral(node, /\S\s+\S/.test(node.text) && (!isTest || isTestProse(node, parent)));
    else if (node.kind === SyntaxKind.RegularExpressionLiteral) addLiteral(node, false);
    else if (ts.isTemplateExpression(node)) {
      const isProse = !isTest || isTestProse(node, parent);
      addLiteral(node.head, isProse);
      for (const { expression, literal } of node.templateSpans) {
        visit(expression, node);
        addLiteral(literal, isProse);
      }
      return;
    } else if (node.kind === SyntaxKind.JsxText) addLiteral(node, !isTest);
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(source, undefined);
  const inOrder = (one, other) => one[0] - other[0];
  const bare = viewOf(text, [...complement(literals.sort(inOrder), text.length)]);
  const comments = [...bare.matchAll(COMMENT)].map(({ 0: match, index }) => [index, index + match.length]);
  return {
    comments: viewOf(text, comments).replace(/\/\*+|\*+\/|\/\/+|(?<=\n\s*)\*/g, spaces),
    strings: viewOf(text, prose.sort(inOrder)).replace(/\\n/g, spaces),
    errors: viewOf(text, errors.sort(inOrder)),
    prose: '',
    identifiers,
  };
}

function* complement(ranges, length) {
  let end = 0;
  for (const [from, to] of ranges) {
    if (from > end) yield [end, from];
    end = to;
  }
  if (end < length) yield [end, length];
}

/** A Markdown text without fenced code, code spans, addresses and HTML comments; paragraphs do not touch. */
function readMarkdown(text) {
  return text
    .replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/(`+)[^`]*?\1/g, blank)
    .replace(/\]\([^)\s]*\)/g, blank)
    .replace(/\n\s*\n/g, blank)
    .replace(/^\s*>/gm, spaces);
}

/**
 * @param {string} file path in the repository
 * @param {string} text
 * @returns {Views}
 */
export function readViews(file, text) {
  const none = { comments: '', strings: '', errors: '', prose: '', identifiers: [] };
  if (CODE.test(file)) return readCode(file, text);
  if (file.endsWith('.md')) return { ...none, prose: readMarkdown(text) };
  if (!HASH_COMMENTS.test(file)) return none;
  const comments = [...text.matchAll(/(?<=^|\s)#[^\n]*/g)].map(({ 0: match, index }) => [index, index + match.length]);
  return { ...none, comments: viewOf(text, comments).replaceAll('#', ' ') };
}
