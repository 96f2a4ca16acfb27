import type { Decision, ToolCall } from '@sallyport/core';
import { Calls, type Runner, type Signal } from './calls.ts';
import { idOf, isFields } from './fields.ts';

type ClassifierRunner = (use: ToolCall) => Promise<Decision>;

interface Attempt {
  readonly use: ToolCall;
  readonly signal: Signal | undefined;
  readonly run: () => unknown;
}

/** Runs a tool where its call may be made. A tool that throws ends the whole run, so a refusal is given as the result. */
async function admitted(judge: ClassifierRunner, { use, signal, run }: Attempt): Promise<unknown> {
  const wasAborted = signal?.aborted === true;
  const { outcome, result } = await judge(use);
  // A person takes his time: a run that was aborted meanwhile does nothing more.
  if (!wasAborted) signal?.throwIfAborted();
  return outcome === 'allow' ? run() : result;
}

type Callback = (given: unknown, runner?: Runner, ...rest: unknown[]) => unknown;
type Parse = (written: string) => unknown;

interface Guarded {
  readonly judge: ClassifierRunner;
  readonly calls: Calls;
}

function guardCallback({ judge, calls }: Guarded, tool: string, own: Callback): Callback {
  return (given, runner, ...rest) => {
    const use = calls.useOf(tool, given, runner);
    return admitted(judge, { use, signal: runner?.controller?.signal, run: () => own(given, runner, ...rest) });
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isFields(value) && typeof value.then === 'function';
}

function notingParse({ calls }: Guarded, own: Parse): Parse {
  return (written) => {
    const parsed = own(written);
    const noted = (value: unknown): unknown => {
      calls.note(written, value);
      return value;
    };
    return isPromise(parsed) ? parsed.then(noted) : noted(parsed);
  };
}

/** What stands under `function` in a tool of `runTools`. */
interface Runnable {
  readonly name?: string | undefined;
  readonly function?: Callback;
  readonly parse?: Parse;
}

/** A tool of the SDK's schema helpers keeps what runs in members that are not enumerated. */
interface Parseable {
  readonly function?: { readonly name?: string };
  readonly $callback?: Callback;
  readonly $parseRaw?: Parse;
}

function guardParseable(guarded: Guarded, tool: Parseable, callback: Callback): object {
  const { function: declared, $parseRaw } = tool;
  const parse = $parseRaw && { $parseRaw: { value: notingParse(guarded, $parseRaw) } };
  const members = {
    ...Object.getOwnPropertyDescriptors(tool),
    $callback: { value: guardCallback(guarded, String(declared?.name), callback) },
    ...parse,
  };
  return Object.create(Object.getPrototypeOf(tool), members) as object;
}

function guardRunnable(guarded: Guarded, runnable: Runnable, callback: Callback): Runnable {
  const { parse } = runnable;
  // The SDK takes the name of the function itself where no other is given.
  const name = runnable.name || callback.name;
  const noting = parse && { parse: notingParse(guarded, parse.bind(runnable)) };
  return { ...runnable, name, function: guardCallback(guarded, name, callback.bind(runnable)), ...noting };
}

function guardTool(guarded: Guarded, tool: Parseable): object {
  if (tool.$callback !== undefined) return guardParseable(guarded, tool, tool.$callback);
  const runnable = tool.function as Runnable | undefined;
  if (runnable?.function === undefined) return tool;
  return { ...tool, function: guardRunnable(guarded, runnable, runnable.function) };
}

/** The same tools of `runTools` behind the gate. */
export function guardTools(judge: ClassifierRunner, tools: readonly object[]): object[] {
  const guarded = { judge, calls: new Calls() };
  return tools.map((tool) => guardTool(guarded, tool));
}

interface RunnerFunction {
  readonly tool: { readonly name: string };
  execute(given: unknown, options?: { readonly signal?: Signal | undefined }): unknown;
}

/** The same functions of a `ResponsesToolRunner` behind the gate. It does not tell them by which call they are run. */
export function guardFunctions(judge: ClassifierRunner, functions: readonly object[]): object[] {
  return (functions as readonly RunnerFunction[]).map((own) => {
    const { name } = own.tool;
    const execute: RunnerFunction['execute'] = (given, options) => {
      const use = { id: idOf(undefined, [name, given]), tool: name, arguments: given ?? null };
      return admitted(judge, { use, signal: options?.signal, run: () => own.execute(given, options) });
    };
    return { ...own, execute };
  });
}
