import { isAboutAttacks } from './about-attacks.ts';
import { FLAG_FENCE, FLAG_MENTION, FLAG_QUOTE } from './segments.ts';

/** A range of a text: a marker from `start` to `from`, and its content. */
export interface Block {
  readonly start: number;
  readonly from: number;
  readonly end: number;
}

const MIN_LETTERS = 12;

export function countLetters(text: string): number {
  return text.length - text.replace(/\p{L}/gu, '').length;
}

/** Looks for text outside the blocks, which are sorted. */
function hasOtherText(text: string, blocks: readonly Block[]): boolean {
  let letters = 0;
  let from = 0;
  for (const { start, end } of [...blocks, { start: text.length, end: text.length }]) {
    letters += countLetters(text.slice(from, start));
    if (letters >= MIN_LETTERS) return true;
    from = Math.max(from, end);
  }
  return false;
}

// Fields of the requests and responses of a model's API, and how programs write them.
const RECORD = new RegExp(
  [
    '"role"\\s{0,4}:\\s{0,4}"(?:user|assistant|model|tool)"\\s{0,4},\\s{0,8}"(?:content|parts|tool_calls|name|id)"',
    '\\bmessages\\s{0,4}=\\s{0,4}\\[|stop_reason|finish_?reason|content_block|max_(?:new_)?tokens',
    'chat[./]completions|"object"\\s{0,4}:\\s{0,4}"(?:chat|thread|response)|<user>\\s{0,8}\\{\\{|</?prompt\\b',
  ].join('|'),
  'i',
);

// A turn of the user, in the formats of chat templates.
const TRANSCRIPT = /<\|(?:im_start|start_header_id)\|>\s{0,2}user\b|<\|user\|>|<start_of_turn>user\b/i;

/** Words of texts about models and calls of them, by topic. */
const MODELS: readonly string[] = [
  'llms?|(?:language )?models?',
  'gpt|openai|chatgpt',
  'claude|anthropic',
  'gemini|gemma|llama|mistral|qwen|deepseek|phi',
  'chat template|prompt format|special tokens?|tokeni[sz]\\w{1,6}|role tags?',
  '(?:fine-?)?tun(?:ed|ing)|inference|checkpoint',
  'prompts?|prompting|few-shot',
  'api|sdk|endpoint|function calling|tool (?:call|output|result)s?|tool calling',
  'ollama|hugging ?face|langchain|vllm',
];
const MODEL_WORD = new RegExp(`(?<![\\w/.-])(?:${MODELS.map((words) => `(${words})`).join('|')})(?![\\w/-])`, 'gi');
const ENOUGH_TOPICS = 2;
const MAX_LOOKS = 500;

/** Recognises a text about models by two different words of the topics. */
function isAboutModels(text: string): boolean {
  const topics = new Set<number>();
  let looks = 0;
  for (const match of text.matchAll(MODEL_WORD)) {
    topics.add(match.findIndex((group, index) => index > 0 && group !== undefined));
    if (topics.size >= ENOUGH_TOPICS) return true;
    if (++looks > MAX_LOOKS) return false;
  }
  return false;
}

const MARKS = /[`"'\u201c\u2018\u00ab]$/;
const END_MARKS = /^[`"'\u201d\u2019\u00bb]/;
const QUOTED = /[\u201c\u2018\u00ab]\s{0,2}$|<(?:code|pre)\b[^<>]{0,60}>[^<]{0,40}$/i;
const BEFORE = 100;
// An object within a larger one, or in the source of a program.
const NESTED = /(?:"\s{0,4}:|[=([,{])\s{0,8}$/;

/** True if a backtick in the same line is still open. */
function isInBackticks(before: string): boolean {
  return before.slice(before.lastIndexOf('\n') + 1).split('`').length % 2 === 0;
}

/** The properties of a whole text. */
interface Known {
  /** Set for a record of a model's conversation, or a program that makes one. */
  readonly isRecord: boolean;
  /** Set for a text about models, or about attacks on them. */
  readonly isAboutModels: boolean;
  /** Set when the text consists of its blocks alone. */
  readonly isBlocks: boolean;
  /** Set for a conversation in the format of a chat template. */
  readonly isTranscript: boolean;
  readonly isJson: boolean;
}

function know(text: string, blocks: readonly Block[]): Known {
  const isBlocks = !hasOtherText(text, blocks);
  return {
    isRecord: RECORD.test(text),
    isAboutModels: isAboutModels(text) || isAboutAttacks(text),
    isBlocks,
    isTranscript: isBlocks && TRANSCRIPT.test(text),
    isJson: /^[[{]/.test(text.trimStart()) && /[\]}]$/.test(text.trimEnd().slice(-1)),
  };
}

/**
 * A text with its blocks: the properties of the whole, computed on first use, and the checks for blocks that it only
 * mentions.
 */
export class TextContext {
  readonly text: string;
  private readonly blocks: readonly Block[];
  private found: Known | undefined;

  constructor(text: string, blocks: readonly Block[]) {
    this.text = text;
    this.blocks = blocks;
  }

  get whole(): Known {
    this.found ??= know(this.text, this.blocks);
    return this.found;
  }

  private before(offset: number): string {
    return this.text.slice(Math.max(0, offset - BEFORE), offset);
  }

  /** True if a block is part of a larger object. */
  isNested({ start }: Block): boolean {
    const opening = this.before(start).lastIndexOf('{');
    return opening < 0 || NESTED.test(this.before(Math.max(0, start - BEFORE) + opening));
  }

  /** True if a marker is alone in quotation marks, as the name of a format is. */
  isNamed({ start, from }: Block): boolean {
    return MARKS.test(this.before(start)) && END_MARKS.test(this.text.slice(from, from + 1));
  }

  /**
   * True if a block is in code, in quotation marks or in a quotation, and is not a fence itself. `flags` are those of
   * its segment.
   */
  isQuoted({ start }: Block, flags: number): boolean {
    const before = this.before(start);
    if (this.text.startsWith('```', start)) return false;
    return (flags & (FLAG_FENCE | FLAG_MENTION | FLAG_QUOTE)) !== 0 || isInBackticks(before) || QUOTED.test(before);
  }

  /** True if a block is quoted, or the value of a field, in a text about models. */
  isDescribed(block: Block, flags: number): boolean {
    return (this.isQuoted(block, flags) || MARKS.test(this.before(block.start))) && this.whole.isAboutModels;
  }
}
