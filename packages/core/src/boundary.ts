import { randomBytes } from '@noble/hashes/utils.js';
import { checkOptionNames, SallyportError } from './base/errors.ts';
import { Tool, type ToolRegistry } from './call/tool.ts';
import type { ClassifierV1 } from './classify/classifier.ts';
import {
  checkClassifier,
  createClassifierRunner,
  memoryVerdictCache,
  type Timer,
  type VerdictCache,
} from './classify/run-classifier.ts';
import { Conversation } from './conversation/conversation.ts';
import { causeName, type EventListener } from './event.ts';
import { deriveKey } from './frame/key.ts';
import type { Clock } from './gate/approvals.ts';
import { createGate, type GateOptions } from './gate/gate.ts';
import { checkLimits, type LimitOptions } from './record/limit.ts';
import { sectionName } from './text/reserved-names.ts';

export interface BoundaryOptions {
  /**
   * At least 32 random bytes, kept like a password. With the same key a conversation renders to the same bytes after a
   * restart. @default random, for the life of this boundary
   */
  readonly key?: Uint8Array;
  /**
   * The tools whose results may come in, each with its source on its definition; or where to look for one, such as a map that
   * grows with what a server lists. @default none: all are unknown
   */
  readonly tools?: readonly Tool[] | ToolRegistry;
  /** @default none: outside content is presented as unchecked, which reads as suspect */
  readonly classifier?: ClassifierV1;
  /** @default the 10000 latest verdicts in memory */
  readonly cache?: VerdictCache;
  /** Milliseconds a classifier may take for one text. @default 1000 */
  readonly timeout?: number;
  readonly limits?: LimitOptions;
  /** Names of tags with which your own prompts are structured. Those in a `prompt` are found by themselves. @default none */
  readonly sections?: readonly string[];
  /** Told of everything security-relevant. The library itself logs nothing. @default nobody */
  readonly onEvent?: EventListener;
  /** @default the platform's setTimeout */
  readonly timer?: Timer;
  /** How calls are judged. @default { preset: 'balanced' } */
  readonly gate?: GateOptions;
  /** Milliseconds since 1970, for approvals that expire. @default the platform's clock */
  readonly clock?: Clock;
}

/** The entry between what an agent reads and what it may do. */
export interface Boundary {
  /** A new, empty conversation. The id is part of its key: the same id renders the same bytes. */
  conversation(id: string): Conversation;
}

const NAMES: readonly (keyof BoundaryOptions)[] = [
  ...(['key', 'tools', 'classifier', 'cache', 'timeout', 'limits'] as const),
  ...(['sections', 'onEvent', 'timer', 'gate', 'clock'] as const),
];

interface Platform {
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(handle: unknown): void;
}

function platformTimer(): Timer {
  const platform = globalThis as unknown as Platform;
  return {
    set: (callback, milliseconds) => platform.setTimeout(callback, milliseconds),
    clear: (handle) => platform.clearTimeout(handle),
  };
}

/** One definition per name: a second tool of the same name would be read with the first one's trust. */
function registryOf(tools: readonly Tool[]): ToolRegistry {
  const registry = new Map<string, Tool>();
  for (const tool of tools) {
    if (!Tool.is(tool))
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        'tools holds what defineTool() made: trust lives on the definition.',
      );
    if (registry.has(tool.name))
      throw new SallyportError('ERR_INVALID_NAME', `Two tools are called ${tool.name}: rename one.`);
    registry.set(tool.name, tool);
  }
  return registry;
}

/** Looked at anew each time; what somebody puts there that is no definition is no tool. */
function liveRegistry(registry: ToolRegistry): ToolRegistry {
  return {
    get(name) {
      const tool = registry.get(name);
      return Tool.is(tool) && tool.name === name ? tool : undefined;
    },
  };
}

function checkOption(condition: boolean, message: string): void {
  if (!condition) throw new SallyportError('ERR_INVALID_OPTION', message);
}

/** A copy of the key: what the caller does to his array later does not change it. */
function copyKey(key: Uint8Array): Uint8Array {
  deriveKey(key, '');
  return Uint8Array.from(key);
}

function checkTimeout(timeout: number): number {
  // Beyond 31 bits a platform's timer fires at once.
  const isRange = Number.isFinite(timeout) && timeout > 0 && timeout < 2 ** 31;
  checkOption(isRange, 'timeout is a number of milliseconds above 0 and below 2147483648.');
  return timeout;
}

/** Builds a boundary. Everything is checked here, so that nothing can be wrong on the first hostile result. */
export function createBoundary(options: BoundaryOptions = {}): Boundary {
  checkOptionNames(options, NAMES, 'createBoundary()');
  const master = options.key === undefined ? randomBytes(32) : copyKey(options.key);
  const onEvent = options.onEvent ?? (() => undefined);
  const { cache = memoryVerdictCache(), timer = platformTimer(), clock = Date.now } = options;
  checkOption(typeof onEvent === 'function', 'onEvent is a function that takes an event.');
  checkOption(typeof cache.get === 'function' && typeof cache.set === 'function', 'cache has get and set.');
  checkOption(typeof timer.set === 'function' && typeof timer.clear === 'function', 'timer has set and clear.');
  const { tools: given = [] } = options;
  checkOption(
    Array.isArray(given) || typeof (given as ToolRegistry)?.get === 'function',
    'tools is an array of what defineTool() made, or has a get that gives one by its name.',
  );
  checkOption(Array.isArray(options.sections ?? []), "sections is an array of tag names, such as ['mr_body'].");
  checkOption(typeof clock === 'function', 'clock is a function that gives milliseconds since 1970.');
  const tools = Array.isArray(given) ? registryOf(given) : liveRegistry(given as ToolRegistry);
  const gate = createGate(options.gate);
  const limits = checkLimits(options.limits ?? {});
  const sections = (options.sections ?? []).map(sectionName);
  const runClassifier = createClassifierRunner({
    classifier: checkClassifier(options.classifier),
    cache,
    timer,
    timeout: checkTimeout(options.timeout ?? 1000),
    onUnchecked: ({ reason }, cause, recordId) =>
      onEvent({ type: 'unchecked', recordId, reason, cause: causeName(cause) }),
  });
  return Object.freeze({
    conversation(id: string): Conversation {
      if (typeof id !== 'string' || id === '')
        throw new SallyportError('ERR_INVALID_NAME', 'A conversation needs a non-empty id.');
      const key = deriveKey(master, id);
      return new Conversation(id, { key, tools, runClassifier, limits, sections, onEvent, gate, clock });
    },
  });
}
