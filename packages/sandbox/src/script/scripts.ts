import {
  type Ask,
  type Content,
  type Conversation,
  type Decision,
  defineTool,
  type Recorded,
  type Tool,
} from '@sallyport/core';
import type { Clock } from '@sallyport/core/stages';
import type { Reason, ScriptEngine } from '../engine/engine.ts';
import { checkLimits, type ScriptLimits } from '../engine/limits.ts';
import { SandboxError } from '../errors.ts';
import type { SubModel } from '../question/sub-model.ts';
import { checkFunctions, describeFunctions, type ScriptFunctions } from './functions.ts';
import { type FailureListener, Host } from './host.ts';
import { Run } from './run.ts';
import type { Suspension } from './suspension.ts';

export interface ScriptsOptions {
  readonly conversation: Conversation;
  /** `quickjsEngine()` for JavaScript. */
  readonly engine: ScriptEngine;
  /** What scripts may call beside the sub-model, each behind the gate. @default nothing */
  readonly functions?: ScriptFunctions;
  /** @default none: scripts cannot ask a model */
  readonly subModel?: SubModel;
  /** Asks a person on the spot about an effect. @default the script is suspended */
  readonly ask?: Ask;
  readonly limits?: Partial<ScriptLimits>;
  /** As what the model calls it. @default scriptTool() */
  readonly tool?: Tool;
  /** What a function threw. The script is not told. @default nobody */
  readonly onFailure?: FailureListener;
  /** Milliseconds since 1970, for the clock that a script sees. @default the platform's */
  readonly clock?: Clock;
}

export interface RunOptions {
  /** The id of the tool call. What the script gives becomes the record of that id. */
  readonly id: string;
  readonly source: string;
  /** What the script finds under `input`, by name. @default nothing */
  readonly input?: Readonly<Record<string, Recorded>>;
  readonly signal?: AbortSignal;
}

interface Ended {
  readonly record: Recorded;
  /** Calls that a person had to decide on, and for which the script did not wait. They were not made. */
  readonly held: readonly Decision[];
}

/** What became of a script. The record is what a model may be shown of it, framed like any other content. */
export type RunResult =
  | ({ readonly status: 'done'; readonly value: unknown } & Ended)
  | ({ readonly status: 'failed'; readonly reason: Reason } & Ended)
  | { readonly status: 'suspended'; readonly suspension: Suspension };

/**
 * The tool by which a model hands over a script. It only reads: what the script does beyond that is judged call by call. Where nobody
 * knows any more what a script had read, as after a restart, what it gave counts as outside content, as secret, and as suspect.
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

/** Each goes on once, whoever lets it. */
const RESUMED = new WeakSet<Suspension>();

/** Runs the scripts that a model writes in one conversation. */
export class Scripts {
  readonly #options: ScriptsOptions;
  readonly #functions: ScriptFunctions;
  readonly #limits: ScriptLimits;
  readonly tool: Tool;

  constructor(options: ScriptsOptions) {
    if (typeof options.engine?.run !== 'function' || options.conversation === undefined)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        'Scripts need an engine, such as quickjsEngine(), and a conversation.',
      );
    this.#options = options;
    this.#functions = checkFunctions(options.functions ?? {});
    this.#limits = checkLimits(options.limits);
    this.tool = options.tool ?? scriptTool();
  }

  /** For the definition of the tool: the language, and what can be called. */
  get description(): string {
    const { engine, subModel } = this.#options;
    const offered = describeFunctions(this.#functions, subModel !== undefined);
    return `Runs a script over content that is too long to read, and gives back what it returns.\n${engine.description}\n${offered}`;
  }

  async run({ id: given, source, input = {}, signal }: RunOptions): Promise<RunResult> {
    const { conversation, ask, clock = Date.now } = this.#options;
    const isRecords = Object.values(input).every((each) => each?.type === 'recorded');
    if (typeof source !== 'string' || !isRecords)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        'run() takes { id, source, input }: a text, and records by name. record() makes one.',
      );
    const decision = await conversation.check({ id: given, tool: this.tool.name, arguments: { source } });
    if (decision.outcome !== 'allow')
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `The gate does not let ${this.tool.name} run: declare scriptTool() among the tools of the boundary. ${decision.reason}`,
      );
    const { id, context } = decision.call;
    const inputs = Object.values(input);
    const start = { id, conversation: conversation.id, source, input: inputOf(input), inputs, context, now: clock() };
    return this.#play({ ...start, calls: [], settlements: [], held: [] }, ask, signal);
  }

  /** Goes on with a script that waited. Its calls that were made are not made again; those that waited are judged anew. */
  async resume(suspension: Suspension, ask?: Ask, signal?: AbortSignal): Promise<RunResult> {
    if (suspension.conversation !== this.#options.conversation.id || RESUMED.has(suspension))
      throw new SandboxError('ERR_INVALID_SUSPENSION', 'The script went on already, or is of another conversation.');
    if (!this.#options.conversation.hasRendered)
      throw new SandboxError(
        'ERR_INVALID_SUSPENSION',
        'Nothing is known yet of what this conversation has read, so every effect would be denied: call request() or render() first.',
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
    const value: unknown = JSON.parse(played.output);
    return { status: 'done', value, record: admit(typeof value === 'string' ? value : { json: value }), held };
  }
}

export function createScripts(options: ScriptsOptions): Scripts {
  return new Scripts(options);
}
