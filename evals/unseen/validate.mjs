#!/usr/bin/env node
// Checks the files of one author or of a whole round: node validate.mjs FOLDER
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const EFFECTS = ['read', 'fetch', 'write', 'send', 'configure', 'spend', 'destroy', 'execute'];
const ORIGINS = ['workspace', 'retrieved', 'external'];
const WORDINGS = ['plausible', 'polite', 'policy', 'record', 'claim', 'indirect', 'spoof', 'classic'];
const DECLARATION = ['description', 'effect', 'origin', 'trusted', 'modelText', 'parameters'];
const CODING = /^(?:Bash|Read|Edit|Write|Grep|Glob|WebFetch|WebSearch|mcp__[\w-]+__[\w-]+)$/;

/** What is wrong with one declaration of a tool. */
function declarationFaults(tool) {
  const faults = [];
  for (const name of Object.keys(tool)) if (!DECLARATION.includes(name)) faults.push(`unknown member ${name}`);
  if (!EFFECTS.includes(tool.effect)) faults.push(`effect ${tool.effect}`);
  if (typeof tool.description !== 'string') faults.push('no description');
  if (tool.trusted !== true && !ORIGINS.includes(tool.origin)) faults.push(`origin ${tool.origin}`);
  if (tool.modelText !== undefined && !Array.isArray(tool.modelText)) faults.push('modelText is not a list');
  return faults;
}

/** What is wrong with one conversation. */
export function conversationFaults(conversation, tools) {
  const faults = [];
  const { id, domain, language, kind, turns } = conversation;
  if (typeof id !== 'string' || !/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(id)) faults.push('id');
  if (typeof language !== 'string' || !/^[a-z]{2}$/.test(language)) faults.push('language is a code of two letters');
  if (kind !== 'harmless' && kind !== 'attacked') faults.push('kind');
  if (!Array.isArray(turns)) return [...faults, 'turns'];
  if (domain !== 'coding' && tools?.[domain] === undefined) faults.push(`no tools for the domain ${domain}`);
  const calls = new Map();
  const answered = new Set();
  turns.forEach((turn, at) => {
    const where = `turn ${at + 1}`;
    if (at === 0 && typeof turn.developer !== 'string') faults.push('the first turn is not the developer');
    if (at === 0 && domain === 'coding' && typeof turn.cwd !== 'string') faults.push('the first turn has no cwd');
    if (at > 0 && turn.developer !== undefined) faults.push(`${where}: a second developer`);
    if (turn.call !== undefined) {
      if (calls.has(turn.call)) faults.push(`${where}: ${turn.call} twice`);
      calls.set(turn.call, turn);
      if (domain === 'coding' ? !CODING.test(turn.tool) : tools?.[domain]?.[turn.tool] === undefined)
        faults.push(`${where}: unknown tool ${turn.tool}`);
      if (turn.arguments === null || typeof turn.arguments !== 'object' || Array.isArray(turn.arguments))
        faults.push(`${where}: arguments are not an object`);
    } else if (turn.result !== undefined) {
      if (!calls.has(turn.result)) faults.push(`${where}: result of an unknown call ${turn.result}`);
      if (answered.has(turn.result)) faults.push(`${where}: a second result of ${turn.result}`);
      if (turn.content === undefined) faults.push(`${where}: no content`);
      answered.add(turn.result);
    } else if (typeof turn.user === 'string' || typeof turn.agent === 'string') {
      for (const call of calls.keys()) if (!answered.has(call)) faults.push(`${where}: ${call} has no result yet`);
    } else if (at > 0) faults.push(`${where}: not a turn`);
  });
  for (const call of calls.keys()) if (!answered.has(call)) faults.push(`${call} has no result`);
  if (!turns.some((turn) => typeof turn.user === 'string')) faults.push('no user');
  const marked = kind === 'attacked' ? conversation.deeds : (conversation.wanted ?? []);
  if (!Array.isArray(marked) || (kind === 'attacked' && marked.length === 0)) faults.push('deeds');
  else for (const call of marked) if (!calls.has(call)) faults.push(`no call ${call}`);
  if (kind === 'attacked' && !WORDINGS.includes(conversation.wording)) faults.push(`wording ${conversation.wording}`);
  return faults;
}

/** The tools and conversations of a folder or of the folders in it. */
export function readSet(folder) {
  const folders = existsSync(join(folder, 'conversations.jsonl'))
    ? [folder]
    : readdirSync(folder)
        .map((name) => join(folder, name))
        .filter((path) => statSync(path).isDirectory())
        .sort();
  const tools = {};
  const conversations = [];
  for (const each of folders) {
    const declared = join(each, 'tools.json');
    if (existsSync(declared)) Object.assign(tools, JSON.parse(readFileSync(declared, 'utf8')));
    const lines = readFileSync(join(each, 'conversations.jsonl'), 'utf8').split('\n');
    lines.forEach((line, at) => {
      if (line.trim() === '') return;
      try {
        conversations.push(JSON.parse(line));
      } catch (error) {
        throw new Error(`${each}/conversations.jsonl, line ${at + 1}: ${error.message}`);
      }
    });
  }
  return { tools, conversations };
}

/** All faults of a set, one line each. */
export function setFaults({ tools, conversations }) {
  const faults = [];
  for (const [domain, declared] of Object.entries(tools))
    for (const [name, tool] of Object.entries(declared))
      for (const fault of declarationFaults(tool)) faults.push(`${domain}, ${name}: ${fault}`);
  const ids = new Set();
  for (const conversation of conversations) {
    if (ids.has(conversation.id)) faults.push(`${conversation.id} twice`);
    ids.add(conversation.id);
    for (const fault of conversationFaults(conversation, tools)) faults.push(`${conversation.id}: ${fault}`);
  }
  return faults;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const folder = process.argv[2];
  if (folder === undefined || folder === '--help') {
    console.log('Usage: node validate.mjs FOLDER\nExample: node validate.mjs evals/unseen/rounds/1');
    process.exit(folder === undefined ? 2 : 0);
  }
  const set = readSet(folder);
  const faults = setFaults(set);
  for (const fault of faults) console.log(fault);
  const attacked = set.conversations.filter(({ kind }) => kind === 'attacked');
  const english = set.conversations.filter(({ language }) => language === 'en').length;
  console.log(
    `${set.conversations.length - attacked.length} harmless, ${attacked.length} attacked, ` +
      `${Math.round((100 * (set.conversations.length - english)) / Math.max(1, set.conversations.length))} % not English`,
  );
  console.log(faults.length === 0 ? 'all is well' : `${faults.length} faults`);
  process.exit(faults.length === 0 ? 0 : 1);
}
