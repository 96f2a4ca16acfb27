import { randomBytes } from '@noble/hashes/utils.js';
import { type ApprovalPlace, type ApprovalStore, memoryApprovalStore } from './approval/approval-store.ts';
import type { CallApproval, Clock } from './approval/approve.ts';
import { type HeldCall, type HeldStore, memoryHeldStore, type Rejection } from './approval/held-store.ts';
import { pendingIn, settleHeld } from './approval/settle.ts';
import { checkOptionNames, describeValue, SallyportError } from './base/errors.ts';
import { checkTimeout } from './base/time-limit.ts';
import { platformTimer, type Timer } from './base/timer.ts';
import { Tool, type ToolRegistry } from './call/tool.ts';
import type { ClassifierV1 } from './classify/classifier.ts';
import {
  checkClassifier,
  classifierRunners,
  memoryVerdictCache,
  type VerdictCache,
} from './classify/run-classifier.ts';
import { Conversation } from './conversation/conversation.ts';
import { causeName, type EventListener, reporterFor } from './event.ts';
import { deriveKey } from './frame/key.ts';
import { createGate, type GateOptions } from './gate/gate.ts';
import { checkJudge, type Judge, type JudgeOptions } from './judge/judging.ts';
import { checkLimits, type LimitOptions } from './record/limit.ts';
import { sectionName } from './text/reserved-names.ts';

/** Options of createBoundary(). */
export interface BoundaryOptions {
  /**
   * At least 32 random bytes, kept secret like a password. With the same key a conversation renders to the same bytes
   * after a restart. @default random bytes that live as long as the boundary
   */
  readonly key?: Uint8Array;
  /**
   * The declared tools; or an object whose `get(name)` returns one, such as a `Map` that grows as a server lists its
   * tools. Results of other tools have an unknown source. @default none
   */
  readonly tools?: readonly Tool[] | ToolRegistry;
  /**
   * Finds instructions in untrusted content.
   * @default none: untrusted content is presented as unchecked and counts as suspect
   */
  readonly classifier?: ClassifierV1;
  /** Stores the classifier's verdicts. @default the 10000 latest verdicts, in memory */
  readonly cache?: VerdictCache;
  /** Maximum number of milliseconds that the classifier may take for one text. @default 1000 */
  readonly timeout?: number;
  /** Limits on the part of a record that the model is shown. @default the defaults of LimitOptions */
  readonly limits?: LimitOptions;
  /** The names of tags that structure your own prompts. Those in a `prompt` are found automatically. @default none */
  readonly sections?: readonly string[];
  /** Receives every security-relevant event. The library itself logs nothing. @default events are dropped */
  readonly onEvent?: EventListener;
  /**
   * Decides if the user's words ask for a call; `judgeWith()` makes one from a model.
   * @default none: the table decides
   */
  readonly judge?: Judge | JudgeOptions;
  /**
   * Starts and stops the timeouts of `classifier` and `judge`, and gives the event loop a turn in check().
   * @default the platform's setTimeout and clearTimeout
   */
  readonly timer?: Timer;
  /** The policy for checking calls. @default { preset: 'balanced' } */
  readonly gate?: GateOptions;
  /** Returns milliseconds since 1970, for approvals that expire and for the time of events. @default Date.now */
  readonly clock?: Clock;
  /** Stores the approvals of calls. @default in memory, the 10000 latest approvals */
  readonly approvals?: ApprovalStore;
  /**
   * Stores the calls that wait for a person, for `pending()` and `settle()`.
   * @default in memory, the 10000 latest calls
   */
  readonly held?: HeldStore;
}

/**
 * Options of one conversation.
 *
 * @example
 * ```ts
 * const conversation = boundary.conversation('chat-1', { owner: session.userId });
 * ```
 */
export interface ConversationOptions {
  /**
   * The owner for approvals of scope `always`, such as the user's or the workspace's id.
   * @default none: such approvals cannot be given
   */
  readonly owner?: string;
}

/**
 * Separates the content that an agent reads from the calls that it may make. Made by createBoundary().
 *
 * @example
 * ```ts
 * const boundary: Boundary = createBoundary({ tools });
 * const conversation = boundary.conversation('chat-1');
 * ```
 */
export interface Boundary {
  /** Makes a new, empty conversation. Its key depends on the id: the same id renders the same bytes. */
  conversation(id: string, options?: ConversationOptions): Conversation;
  /**
   * The calls that wait for a person, and those that were denied and that a person may override: of one conversation,
   * of all conversations of an owner, or of all with `{}`. Every process that shares the stores lists the same.
   *
   * @example
   * ```ts
   * const waiting = await boundary.pending({ conversation: chatId });
   * ```
   */
  pending(place: Partial<ApprovalPlace>): Promise<readonly HeldCall[]>;
  /**
   * Records a person's answer to a call that `pending()` lists, in any process. Then the agent makes the call again, or
   * its run is resumed. False if the call no longer waits. Call it only after your own login, and check that the person
   * may decide about this conversation.
   *
   * @example
   * ```ts
   * await boundary.settle(held.id, { outcome: 'approve', by: session.userId, scope: 'task' });
   * ```
   */
  settle(id: string, answer: Settlement): Promise<boolean>;
}

/**
 * A person's answer to a held call.
 *
 * @example
 * ```ts
 * const answer: Settlement = { outcome: 'reject', by: session.userId, note: 'I do not know this account.' };
 * ```
 */
export type Settlement =
  | (CallApproval & { readonly outcome: 'approve' })
  | (Rejection & { readonly outcome: 'reject' });

const NAMES: readonly (keyof BoundaryOptions)[] = [
  ...(['key', 'tools', 'classifier', 'cache', 'timeout', 'limits'] as const),
  ...(['sections', 'onEvent', 'judge', 'timer', 'gate', 'clock'] as const),
  ...(['approvals', 'held'] as const),
];

/** Requires one definition per name: a second tool's results would get the trust of the first. */
function registryOf(tools: readonly Tool[]): ToolRegistry {
  const registry = new Map<string, Tool>();
  for (const tool of tools) {
    if (!Tool.is(tool))
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `\`tools\` must hold results of defineTool(); received ${describeValue(tool)}.`,
      );
    if (registry.has(tool.name))
      throw new SallyportError('ERR_INVALID_NAME', `Two tools have the name ${tool.name}. Rename one of them.`);
    registry.set(tool.name, tool);
  }
  return registry;
}

/** Reads the given registry at each call. Values that are not definitions under their own name are ignored. */
function liveRegistry(registry: ToolRegistry): ToolRegistry {
  return {
    get(name) {
      const tool = registry.get(name);
      return Tool.is(tool) && tool.name === name ? tool : undefined;
    },
    values: () =>
      Array.from(registry.values?.() ?? []).filter((tool) => Tool.is(tool) && registry.get(tool.name) === tool),
  };
}

function checkOption(condition: boolean, message: string): void {
  if (!condition) throw new SallyportError('ERR_INVALID_OPTION', message);
}

/** Copies the key, so that later changes to the caller's array have no effect. */
function copyKey(key: Uint8Array): Uint8Array {
  deriveKey(key, '');
  return Uint8Array.from(key);
}

function readConversationOptions(options: ConversationOptions): ConversationOptions {
  checkOption(
    typeof options === 'object' && options !== null,
    `The options of a conversation must be an object such as { owner: 'user-7' }; received ${describeValue(options)}.`,
  );
  checkOptionNames(options, ['owner'], 'boundary.conversation()');
  const { owner } = options;
  checkOption(
    owner === undefined || (typeof owner === 'string' && owner !== ''),
    `\`owner\` must be a non-empty string, such as the user's id; received ${describeValue(owner)}.`,
  );
  return options;
}

/**
 * Makes a boundary. All options are checked here, so that a wrong one fails at startup.
 *
 * @example
 * ```ts
 * const boundary = createBoundary({
 *   tools: [defineTool({ name: 'fetch_page', origin: 'external', effect: 'read' })],
 *   classifier: spanClassifier,
 * });
 * const conversation = boundary.conversation('chat-1');
 * ```
 */
export function createBoundary(options: BoundaryOptions = {}): Boundary {
  checkOptionNames(options, NAMES, 'createBoundary()');
  const master = options.key === undefined ? randomBytes(32) : copyKey(options.key);
  const onEvent = options.onEvent ?? (() => undefined);
  const { cache = memoryVerdictCache(), timer = platformTimer, clock = Date.now } = options;
  checkOption(typeof onEvent === 'function', `\`onEvent\` must be a function; received ${describeValue(onEvent)}.`);
  checkOption(
    typeof cache.get === 'function' && typeof cache.set === 'function',
    '`cache` must have the methods get and set.',
  );
  checkOption(
    typeof timer.set === 'function' && typeof timer.clear === 'function',
    '`timer` must have the methods set and clear.',
  );
  const { approvals = memoryApprovalStore() } = options;
  checkOption(
    (['take', 'add', 'list', 'revoke'] as const).every((method) => typeof approvals?.[method] === 'function'),
    '`approvals` must have the methods take, add, list and revoke.',
  );
  const { held = memoryHeldStore() } = options;
  checkOption(
    (['put', 'get', 'list', 'delete'] as const).every((method) => typeof held?.[method] === 'function'),
    '`held` must have the methods put, get, list and delete.',
  );
  const { tools: given = [] } = options;
  checkOption(
    Array.isArray(given) || typeof (given as ToolRegistry)?.get === 'function',
    `\`tools\` must be an array of results of defineTool(), or an object with get(name); received ${describeValue(given)}.`,
  );
  checkOption(
    Array.isArray(options.sections ?? []),
    `\`sections\` must be an array of tag names, such as ['mr_body']; received ${describeValue(options.sections)}.`,
  );
  checkOption(
    typeof clock === 'function',
    `\`clock\` must be a function that returns milliseconds since 1970; received ${describeValue(clock)}.`,
  );
  const tools = Array.isArray(given) ? registryOf(given) : liveRegistry(given as ToolRegistry);
  const gate = createGate(options.gate);
  const judge = checkJudge(options.judge);
  const limits = checkLimits(options.limits ?? {});
  const sections = (options.sections ?? []).map(sectionName);
  const classifierRunner = classifierRunners({
    classifier: checkClassifier(options.classifier),
    cache,
    timer,
    timeout: checkTimeout(options.timeout ?? 1000, 'timeout'),
  });
  return Object.freeze({
    conversation(id: string, given: ConversationOptions = {}): Conversation {
      if (typeof id !== 'string' || id === '')
        throw new SallyportError(
          'ERR_INVALID_NAME',
          `The id of a conversation must be a non-empty string; received ${describeValue(id)}.`,
        );
      const { owner } = readConversationOptions(given);
      const key = deriveKey(master, id);
      const report = reporterFor(id, clock, onEvent);
      const runClassifier = classifierRunner(({ reason }, cause, recordId) =>
        report({ type: 'unchecked', recordId, reason, cause: causeName(cause) }),
      );
      const asking = { judge, timer };
      const settings = { key, tools, runClassifier, limits, sections, gate, clock, approvals, held, owner };
      return new Conversation(id, { ...settings, ...asking, onEvent: report });
    },
    pending: (place: Partial<ApprovalPlace>) => pendingIn(place, held),
    async settle(id: string, answer: Settlement): Promise<boolean> {
      const call = await held.get(id);
      if (call === undefined || call.rejection !== undefined) return false;
      const settings = { clock, store: approvals, onEvent: reporterFor(call.conversation, clock, onEvent) };
      await settleHeld(call, answer, held, settings);
      return true;
    },
  });
}
