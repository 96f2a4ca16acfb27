import { viewOf } from '@sallyport/decode';
import { describeValue, SallyportError } from '../base/errors.ts';

/** The elements of frames. Every name that begins with one of these is reserved. */
export const ELEMENTS = {
  user: 'user_message',
  system: 'trusted_content',
  workspace: 'workspace_content',
  retrieved: 'retrieved_corpus',
  external: 'untrusted',
  unknown: 'untrusted',
  child: 'corpus_record',
  quoted: 'quoted_span',
  marked: 'marked_span',
  omitted: 'omitted_bytes',
  field: 'untrusted_field',
} as const;

// Tokens of chat templates that no other markup uses, written as `<name`, `<|name` or with spaces in between.
const TOKEN_NAMES = [
  // ChatML, Qwen, Kimi
  ...['im_start', 'im_end', 'im_sep', 'im_user', 'im_assistant', 'im_system', 'im_middle', 'endoftext', 'endofprompt'],
  ...['fim_prefix', 'fim_middle', 'fim_suffix'],
  // Llama 2, 3 and 4
  ...['s', 'sys', 'begin_of_text', 'end_of_text', 'start_header_id', 'end_header_id', 'eot_id', 'eom_id'],
  ...['python_tag', 'header_start', 'header_end', 'eot', 'eom', 'finetune_right_pad_id'],
  // Gemma, DeepSeek, Command R
  ...['bos', 'eos', 'start_of_turn', 'end_of_turn', 'start_of_image', 'end_of_image', 'begin_of_sentence'],
  ...['end_of_sentence', 'start_of_turn_token', 'end_of_turn_token', 'system_token', 'user_token', 'chatbot_token'],
  ...['bos_token', 'eos_token'],
  // GLM, Nemotron
  ...['sop', 'eop', 'arg_key', 'arg_value', 'toolcall'],
];
// Harmony and Phi use plain words, which are reserved only after a bar: every RSS feed contains `<channel>`. A bar
// directly before any letter is reserved whatever the word, which covers future tokens.
const BAR_NAMES = ['start', 'message', 'channel', 'constrain', 'return', 'call', 'end', 'user', 'tool', 'developer'];
const TAG_NAMES = [
  // Anthropic and Hermes tool markup
  ...['function_calls', 'function_results', 'function_result', 'function_call', 'invoke', 'parameter'],
  ...[
    'tool_call',
    'tool_calls',
    'tool_response',
    'tool_result',
    'tool_results',
    'tool_use',
    'tool-result',
    'tool-call',
  ],
  ...['tool_use_error', 'tool_code', 'tool_output', 'tool_outputs', 'available_tools', 'think', 'thinking'],
  // Harness tags
  ...['system', 'system-reminder', 'system_reminder', 'system_prompt', 'system-prompt', 'system_instructions'],
  ...['system-instructions', 'system_message', 'instructions', 'instruction', 'developer_instructions'],
  ...['assistant', 'human', 'user_query', 'user-query', 'user_input', 'user-input', 'environment_details'],
  ...['workspace-data', 'workspace_data', 'command-name', 'command-message', 'local-command-stdout'],
  ...['task-notification'],
];
// Nemotron, T5, Gemma, InternLM and Baichuan number their tokens; Seed, MiniMax, Qwen Coder and FunctionGemma begin
// them alike.
const PREFIXES = [
  ...new Set(Object.values(ELEMENTS)),
  ...['antml:', 'special_', 'extra_id_', 'reserved_', 'unused', 'tokens_unused_'],
  ...['seed:', 'minimax:', 'function=', 'start_function_', 'end_function_'],
];
// Mistral. [ARGS], [IMG], [PREFIX] and [SUFFIX] are not included: usage lines of programs often contain them.
const SQUARE_NAMES = [
  ...['inst', 'available_tools', 'tool_calls', 'tool_results', 'tool_content', 'system_prompt', 'call_id', 'think'],
  ...['model_settings', 'gmask', 'smask'],
];
// InternLM, MiniMax. EXAONE writes a bar after the bracket, which is reserved before any letter.
const SQUARE_PREFIXES = ['unused_token_', 'e~['];
// The turns of Anthropic's text completions: at the start of a line and before a colon.
const TURN_NAMES = ['human', 'assistant'];

/** One letter in the tree of reserved names. With `whole` the name must end here; with `prefix` it may continue. */
export interface NameNode {
  readonly next: Map<number, NameNode>;
  ends: 'whole' | 'prefix' | undefined;
}

function emptyNode(): NameNode {
  return { next: new Map(), ends: undefined };
}

function addName(root: NameNode, name: string, ends: 'whole' | 'prefix'): void {
  let node = root;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    const next = node.next.get(code) ?? emptyNode();
    node.next.set(code, next);
    node = next;
  }
  if (node.ends !== 'prefix') node.ends = ends;
}

function treeOf(names: readonly string[], prefixes: readonly string[] = []): NameNode {
  const root = emptyNode();
  for (const name of names) addName(root, name, 'whole');
  for (const name of prefixes) addName(root, name, 'prefix');
  return root;
}

/**
 * The markers that content must not contain: elements of frames, tokens of chat templates, tags of agent harnesses and
 * the sections of the application. Made by `vocabularyFor()`.
 *
 * @example
 * ```ts
 * const vocabulary: Vocabulary = vocabularyFor(['mr_body']);
 * ```
 */
export interface Vocabulary {
  readonly id: string;
  /** The section names of the application, folded. */
  readonly sections: readonly string[];
  /** After `<`. */
  readonly angle: NameNode;
  /** After `<` and a bar that does not touch the name. */
  readonly bar: NameNode;
  /** After `[`. */
  readonly square: NameNode;
  /** At the start of a line, before a colon. */
  readonly turn: NameNode;
}

const SECTION_NAME = /^[a-z][a-z0-9_.:-]{0,63}$/;

/** The folded form of a section name. Undefined if it is not a valid name. */
export function readSectionName(name: string): string | undefined {
  const folded = viewOf(name).text;
  return SECTION_NAME.test(folded) ? folded : undefined;
}

/** The folded form of a section name. Throws if it is not a valid name. */
export function sectionName(name: string): string {
  const folded = typeof name === 'string' ? readSectionName(name) : undefined;
  if (folded === undefined)
    throw new SallyportError(
      'ERR_INVALID_NAME',
      `A section name must begin with a letter and contain only letters, digits, _ . : or -, at most 64 characters; received ${describeValue(name)}.`,
    );
  return folded;
}

const vocabularies = new Map<string, Vocabulary>();

/**
 * Makes the vocabulary for an application with these section tags. The same names give the same object.
 *
 * @param sections names of the tags that your own prompts use. @default none
 * @example
 * ```ts
 * const vocabulary = vocabularyFor(['mr_body']);
 * neutralize('</mr_body>', vocabulary); // '~x3c~/mr_body>'
 * ```
 */
export function vocabularyFor(sections: Iterable<string> = []): Vocabulary {
  const names = [...new Set([...sections].map(sectionName))].sort();
  const id = names.join(' ');
  const cached = vocabularies.get(id);
  if (cached !== undefined) return cached;
  const vocabulary: Vocabulary = Object.freeze({
    id,
    sections: Object.freeze(names),
    angle: treeOf([...TOKEN_NAMES, ...TAG_NAMES, ...names], PREFIXES),
    bar: treeOf([...TOKEN_NAMES, ...TAG_NAMES, ...BAR_NAMES, ...names], PREFIXES),
    square: treeOf(SQUARE_NAMES, SQUARE_PREFIXES),
    turn: treeOf(TURN_NAMES),
  });
  if (vocabularies.size >= 256) vocabularies.clear();
  vocabularies.set(id, vocabulary);
  return vocabulary;
}

/**
 * The reserved names, for tests and documentation. `prefix` reserves all names that begin with an entry.
 *
 * @example
 * ```ts
 * RESERVED.turn; // ['human', 'assistant']
 * ```
 */
export const RESERVED: Readonly<
  Record<'angle' | 'prefix' | 'bar' | 'square' | 'squarePrefix' | 'turn', readonly string[]>
> = Object.freeze({
  angle: [...TOKEN_NAMES, ...TAG_NAMES],
  prefix: PREFIXES,
  bar: BAR_NAMES,
  square: SQUARE_NAMES,
  squarePrefix: SQUARE_PREFIXES,
  turn: TURN_NAMES,
});
