import type { Decision, ToolCall } from '@sallyport/core';
import { isFields } from '@sallyport/core/adapter';
import { Calls, type Runner, type Signal } from './calls.ts';
import { idOf } from './id.ts';
import { nameOf } from './offered.ts';
import type { Watch } from './watch.ts';

type Check = (use: ToolCall) => Promise<Decision>;

interface Attempt {
  readonly use: ToolCall;
  readonly signal: Signal | undefined;
  readonly run: () => unknown;
}

/** Runs a tool if its call is allowed. A tool that throws ends the whole run, so a refusal is returned as the result. */
async function runAllowed(check: Check, { use, signal, run }: Attempt): Promise<unknown> {
  const wasAborted = signal?.aborted === true;
  const { outcome, result } = await check(use);
  // A person may take a while to answer: a run that was aborted meanwhile must not continue.
  if (!wasAborted) signal?.throwIfAborted();
  return outcome === 'allow' ? run() : result;
}

type Callback = (given: unknown, runner?: Runner, ...rest: unknown[]) => unknown;
type Parse = (written: string) => unknown;

interface Guarded {
  readonly tool: string;
  readonly check: Check;
  readonly calls: Calls;
  readonly watch: Watch;
}

function guardCallback({ check, calls, tool }: Guarded, own: Callback): Callback {
  return (given, runner, ...rest) => {
    const use = calls.useOf(tool, given, runner);
    return runAllowed(check, { use, signal: runner?.controller?.signal, run: () => own(given, runner, ...rest) });
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isFields(value) && typeof value.then === 'function';
}

function recordingParse({ calls, tool, watch }: Guarded, own: Parse): Parse {
  return (written) => {
    // A call whose arguments cannot be parsed is answered by the SDK, and is never checked.
    watch.recordCheck(tool);
    const parsed = own(written);
    const recorded = (value: unknown): unknown => {
      calls.recordParsed(written, value);
      return value;
    };
    return isPromise(parsed) ? parsed.then(recorded) : recorded(parsed);
  };
}

/** The `function` member of a tool of `runTools`. */
interface Runnable {
  readonly name?: string | undefined;
  readonly function?: Callback;
  readonly parse?: Parse;
}

/** A tool made by the SDK's schema helpers has its callback in members that are not enumerable. */
interface Parseable {
  readonly function?: object;
  readonly $callback?: Callback;
  readonly $parseRaw?: Parse;
}

function guardParseable(guarded: Guarded, tool: Parseable, callback: Callback): object {
  const { $parseRaw } = tool;
  const parse = $parseRaw && { $parseRaw: { value: recordingParse(guarded, $parseRaw) } };
  const members = {
    ...Object.getOwnPropertyDescriptors(tool),
    $callback: { value: guardCallback(guarded, callback) },
    ...parse,
  };
  return Object.create(Object.getPrototypeOf(tool), members) as object;
}

function guardRunnable(guarded: Guarded, runnable: Runnable, callback: Callback): Runnable {
  const { parse } = runnable;
  const recording = parse && { parse: recordingParse(guarded, parse.bind(runnable)) };
  return { ...runnable, name: guarded.tool, function: guardCallback(guarded, callback.bind(runnable)), ...recording };
}

/** A function of a `ResponsesToolRunner`. */
interface RunnerFunction {
  execute(given: unknown, options?: { readonly signal?: Signal | undefined }): unknown;
}

/** The runner does not pass the call id to a function. */
function guardFunction({ check, tool }: Guarded, own: RunnerFunction): object {
  const execute: RunnerFunction['execute'] = (given, options) => {
    const use = { id: idOf(undefined, [tool, given]), tool, arguments: given ?? null };
    return runAllowed(check, { use, signal: options?.signal, run: () => own.execute(given, options) });
  };
  return { ...own, execute };
}

function guardTool(guarded: Guarded, tool: Parseable & Partial<RunnerFunction>): object {
  if (tool.execute !== undefined) return guardFunction(guarded, tool as RunnerFunction);
  if (tool.$callback !== undefined) return guardParseable(guarded, tool, tool.$callback);
  const runnable = tool.function as Runnable | undefined;
  if (runnable?.function === undefined) return tool;
  return { ...tool, function: guardRunnable(guarded, runnable, runnable.function) };
}

/** The same tools, gated: those of `runTools`, and functions of a `ResponsesToolRunner`. Others stay unchanged. */
export function guardTools(check: Check, watch: Watch, tools: readonly object[]): object[] {
  const calls = new Calls();
  return tools.map((tool) => guardTool({ tool: nameOf(tool), check, calls, watch }, tool));
}
