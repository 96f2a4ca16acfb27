import {
  type Ask,
  type Content,
  type Conversation,
  type Decision,
  defineTool,
  type Recorded,
  type Tool,
} from '@sallyport/core';
import { parseJson } from '@sallyport/core/json';
import type { Clock } from '@sallyport/core/stages';
import type { Reason, ScriptEngine } from '../engine/engine.ts';
import { checkLimits, type ScriptLimits } from '../engine/limits.ts';
import { SandboxError } from '../errors.ts';
import type { SubModel } from '../question/sub-model.ts';
import { checkFunctions, describeFunctions, type ScriptFunctions } from './functions.ts';
import { type FailureListener, Host } from './host.ts';
import { Run } from './run.ts';
import type { Suspension } from './suspension.ts';

/** Options of `createScripts`. */
export interface ScriptsOptions {
  /** Checks the calls of scripts and records their results. */
  readonly conversation: Conversation;
  /** Runs the scripts: `quickjsEngine()` or `montyEngine()`. */
  readonly engine: ScriptEngine;
  /** The functions that scripts may call. The gate checks every call. @default {} */
  readonly functions?: ScriptFunctions;
  /** Answers the questions of scripts. @default none: scripts cannot ask a model */
  readonly subModel?: SubModel;
  /** Asks a person about an effect while the script waits. @default none: the script is suspended */
  readonly ask?: Ask;
  /** Limits of each script. @default DEFAULT_LIMITS */
  readonly limits?: Partial<ScriptLimits>;
  /** The tool by which a model runs scripts. @default scriptTool() */
  readonly tool?: Tool;
  /** Receives the errors of functions. The script does not learn them. @default none */
  readonly onFailure?: FailureListener;
  /** Milliseconds since 1970, for the time that a script sees. @default Date.now */
  readonly clock?: Clock;
}

/** Options of one run. */
export interface RunOptions {
  /** The id of the tool call, and of the result's record. */
  readonly id: string;
  /** The script's code. */
  readonly source: string;
  /** The members of the global `input`, by name. @default {} */
  readonly input?: Readonly<Record<string, Recorded>>;
  /** Stops the script. @default none */
  readonly signal?: AbortSignal;
}

interface Ended {
  readonly record: Recorded;
  /** Calls that needed a person's decision and that the script did not wait for. They were not made. */
  readonly held: readonly Decision[];
}

/** The result of a script. The record is untrusted content for the model, framed like any other. */
export type RunResult =
  | ({ readonly status: 'done'; readonly value: unknown } & Ended)
  | ({ readonly status: 'failed'; readonly reason: Reason } & Ended)
  | { readonly status: 'suspended'; readonly suspension: Suspension };

/**
 * The tool by which a model runs a script. Its own effect is `read`, because the gate checks every call of the script. If it is
 * unknown what a script has read, as after a restart, its result counts as external, secret and suspect.
 *
 * @example
 * ```ts
 * const boundary = createBoundary({ tools: [sendMail, scriptTool('run_script')] });
 * ```
 */
export function scriptTool(name = 'run_script'): Tool {
  return defineTool({ name, origin: 'external', confidentiality: 'secret', effect: 'read', derived: true });
}

/** The value of a record, as a script sees it. */
function jsonOf({ parts }: Recorded): string {
  const values = parts.map((part) =>
    part.type === 'json' ? part.text : JSON.stringify('text' in part ? part.text : part),
  );
  return values.length === 1 ? (values[0] as string) : `[${values.join()}]`;
}

function inputOf(input: Readonly<Record<string, Recorded>>): string {
  return `{${Object.entries(input)
    .map(([name, recorded]) => `${JSON.stringify(name)}:${jsonOf(recorded)}`)
    .join()}}`;
}

/** The suspensions that were resumed. Each can be resumed once. */
const RESUMED = new WeakSet<Suspension>();

/**
 * Runs the scripts that a model writes in one conversation.
 *
 * @example
 * ```ts
 * const scripts = createScripts({ conversation, engine: quickjsEngine(), functions: { sendMail } });
 * const result = await scripts.run({ id: 'call-1', source: 'return input.mails.length', input: { mails } });
 * ```
 */
export class Scripts {
  readonly #options: ScriptsOptions;
  readonly #functions: ScriptFunctions;
  readonly #limits: ScriptLimits;
  /** The tool by which a model runs scripts. */
  readonly tool: Tool;

  constructor(options: ScriptsOptions) {
    if (typeof options.engine?.run !== 'function' || options.conversation === undefined)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        '`engine` must be an engine, such as quickjsEngine(), and `conversation` a conversation.',
      );
    this.#options = options;
    this.#functions = checkFunctions(options.functions ?? {});
    this.#limits = checkLimits(options.limits);
    this.tool = options.tool ?? scriptTool();
  }

  /** The tool's description for a model: the language and the functions. */
  get description(): string {
    const { engine, subModel } = this.#options;
    const offered = describeFunctions(this.#functions, subModel !== undefined);
    // Calls in Python wait by themselves, and `await` would fail.
    const listed = engine.language === 'python' ? offered.replace(/^- await /gm, '- ') : offered;
    return `Runs a script over content that is too long to read, and gives back what it returns.\n${engine.description}\n${listed}`;
  }

  /** Runs a script. */
  async run({ id: given, source, input = {}, signal }: RunOptions): Promise<RunResult> {
    const { conversation, ask, clock = Date.now } = this.#options;
    const isRecords = Object.values(input).every((each) => each?.type === 'recorded');
    if (typeof source !== 'string' || !isRecords)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        '`source` must be a string and `input` an object of records; record() makes a record.',
      );
    const decision = await conversation.check({ id: given, tool: this.tool.name, arguments: { source } });
    if (decision.outcome !== 'allow')
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `The gate does not allow ${this.tool.name}: add scriptTool() to the \`tools\` of the boundary. ${decision.reason}`,
      );
    const { id, context } = decision.call;
    const inputs = Object.values(input);
    const start = { id, conversation: conversation.id, source, input: inputOf(input), inputs, context, now: clock() };
    return this.#play({ ...start, calls: [], settlements: [], held: [] }, ask, signal);
  }

  /** Resumes a suspended script. Its completed calls are not made again. The calls that waited are checked again. */
  async resume(suspension: Suspension, ask?: Ask, signal?: AbortSignal): Promise<RunResult> {
    if (suspension.conversation !== this.#options.conversation.id || RESUMED.has(suspension))
      throw new SandboxError(
        'ERR_INVALID_SUSPENSION',
        'The script was already resumed, or belongs to another conversation.',
      );
    if (!this.#options.conversation.hasRendered)
      throw new SandboxError(
        'ERR_INVALID_SUSPENSION',
        'The conversation has not been rendered since its restart, so every effect would be denied: call request() or render() first.',
      );
    RESUMED.add(suspension);
    return this.#play(suspension, ask ?? this.#options.ask, signal);
  }

  async #play(state: Suspension, ask: Ask | undefined, signal: AbortSignal | undefined): Promise<RunResult> {
    const { conversation, engine, subModel, onFailure = () => undefined } = this.#options;
    const { resultBytes } = this.#limits;
    const run = new Run(
      state,
      new Host({ conversation, functions: this.#functions, subModel, ask, onFailure, resultBytes }),
    );
    const played = await run.play(engine, this.#limits, signal);
    if (played.status === 'suspended') return played;
    await conversation.declareDerivation(state.id, {
      derivedFrom: run.read,
      label: state.context,
      isDoubtful: state.isRestored === true,
    });
    const { held } = run;
    const admit = (content: Content): Recorded =>
      conversation.addContent({ id: state.id, source: this.tool.source, content });
    if (played.status === 'failed')
      return { status: 'failed', reason: played.reason, record: admit(`The script failed. ${played.message}`), held };
    const value: unknown = parseJson(played.output);
    return { status: 'done', value, record: admit(typeof value === 'string' ? value : { json: value }), held };
  }
}

/**
 * Creates the runner of a conversation's scripts.
 *
 * @example
 * ```ts
 * const scripts = createScripts({ conversation, engine: quickjsEngine() });
 * ```
 */
export function createScripts(options: ScriptsOptions): Scripts {
  return new Scripts(options);
}
