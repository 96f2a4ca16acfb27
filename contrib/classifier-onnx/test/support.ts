import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ClassifierV1 } from '@sallyport/core';
import type { AbortSignalLike } from '@sallyport/core/adapter';
import type { ClassifierResult, Span } from '@sallyport/core/stages';
import type { OnnxRuntime, OnnxSession, OnnxTensor } from '../src/index.ts';

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(fixture(name), 'utf8'));
}

/** The real runtime, if it is installed: it is an optional dependency of 215 MB. */
export function findRuntime(): OnnxRuntime | undefined {
  try {
    return createRequire(import.meta.url)('onnxruntime-node') as OnnxRuntime;
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'MODULE_NOT_FOUND') return undefined;
    throw cause;
  }
}

export interface Switch extends AbortSignalLike {
  aborted: boolean;
  abort(): void;
}

export function signal(): Switch {
  const listeners: (() => void)[] = [];
  return {
    aborted: false,
    addEventListener: (_, listener) => {
      listeners.push(listener);
    },
    abort() {
      this.aborted = true;
      for (const listener of listeners) listener();
    },
  };
}

class FakeTensor implements OnnxTensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];

  constructor(type: string, data: unknown, dims: readonly number[]) {
    this.type = type;
    this.data = data;
    this.dims = dims;
  }
}

export function floats(dims: readonly number[], values: readonly number[]): OnnxTensor {
  return new FakeTensor('float32', Float32Array.from(values), dims);
}

/** A runtime without a model: what a session answers is up to the test. */
export const fakeRuntime: OnnxRuntime = {
  Tensor: FakeTensor,
  InferenceSession: { create: () => Promise.reject(new Error('no file is read here')) },
};

export function fakeSession(
  answer: (ids: readonly number[], feeds: Record<string, OnnxTensor>) => OnnxTensor | Promise<OnnxTensor>,
  names: Partial<Pick<OnnxSession, 'inputNames' | 'outputNames'>> = {},
): OnnxSession {
  return {
    inputNames: ['input_ids', 'attention_mask'],
    outputNames: ['logits'],
    ...names,
    run: async (feeds) => {
      const ids = Array.from(feeds.input_ids?.data as BigInt64Array, Number);
      return { [names.outputNames?.[0] ?? 'logits']: await answer(ids, feeds) };
    },
  };
}

export function classifierOf(
  id: string,
  doClassify: (input: { text: string; signal: AbortSignalLike }) => unknown,
): ClassifierV1 {
  return { specificationVersion: 'v1', id, doClassify: doClassify as ClassifierV1['doClassify'] };
}

export async function classify(classifier: ClassifierV1, text: string, abort = signal()): Promise<readonly Span[]> {
  const result: ClassifierResult = await classifier.doClassify({ text, signal: abort });
  return result.spans;
}
