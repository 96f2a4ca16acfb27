import type { Decision, ToolCall } from '@sallyport/core';
import { isFields } from '@sallyport/core/adapter';
import { Calls, type Runner, type Signal } from './calls.ts';
import { idOf } from './id.ts';

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
  readonly check: Check;
  readonly calls: Calls;
}

function guardCallback({ check, calls }: Guarded, tool: string, own: Callback): Callback {
  return (given, runner, ...rest) => {
    const use = calls.useOf(tool, given, runner);
    return runAllowed(check, { use, signal: runner?.controller?.signal, run: () => own(given, runner, ...rest) });
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isFields(value) && typeof value.then === 'function';
}

function recordingParse({ calls }: Guarded, own: Parse): Parse {
  return (written) => {
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
  readonly function?: { readonly name?: string };
  readonly $callback?: Callback;
  readonly $parseRaw?: Parse;
}

function guardParseable(guarded: Guarded, tool: Parseable, callback: Callback): object {
  const { function: declared, $parseRaw } = tool;
  const parse = $parseRaw && { $parseRaw: { value: recordingParse(guarded, $parseRaw) } };
  const members = {
    ...Object.getOwnPropertyDescriptors(tool),
    $callback: { value: guardCallback(guarded, String(declared?.name), callback) },
    ...parse,
  };
  return Object.create(Object.getPrototypeOf(tool), members) as object;
}

function guardRunnable(guarded: Guarded, runnable: Runnable, callback: Callback): Runnable {
  const { parse } = runnable;
  // Without a name, the SDK uses the name of the function itself.
  const name = runnable.name || callback.name;
  const recording = parse && { parse: recordingParse(guarded, parse.bind(runnable)) };
  return { ...runnable, name, function: guardCallback(guarded, name, callback.bind(runnable)), ...recording };
}

function guardTool(guarded: Guarded, tool: Parseable): object {
  if (tool.$callback !== undefined) return guardParseable(guarded, tool, tool.$callback);
  const runnable = tool.function as Runnable | undefined;
  if (runnable?.function === undefined) return tool;
  return { ...tool, function: guardRunnable(guarded, runnable, runnable.function) };
}

/** The same tools of `runTools` behind the gate. */
export function guardTools(check: Check, tools: readonly object[]): object[] {
  const guarded = { check, calls: new Calls() };
  return tools.map((tool) => guardTool(guarded, tool));
}

interface RunnerFunction {
  readonly tool: { readonly name: string };
  execute(given: unknown, options?: { readonly signal?: Signal | undefined }): unknown;
}

/** The same functions of a `ResponsesToolRunner` behind the gate. The runner does not pass the call id to a function. */
export function guardFunctions(check: Check, functions: readonly object[]): object[] {
  return (functions as readonly RunnerFunction[]).map((own) => {
    const { name } = own.tool;
    const execute: RunnerFunction['execute'] = (given, options) => {
      const use = { id: idOf(undefined, [name, given]), tool: name, arguments: given ?? null };
      return runAllowed(check, { use, signal: options?.signal, run: () => own.execute(given, options) });
    };
    return { ...own, execute };
  });
}
