import { type Judge, type JudgeOptions, judgeWith } from '@sallyport/core';
import { platformSignal } from '@sallyport/core/adapter';
import { redactJson } from '../secrets/redact.ts';
import type { AskModel } from './answer.ts';
import { clientModel } from './client.ts';
import { endpointModel } from './endpoint.ts';
import { readKey } from './key.ts';
import { readSetUp, type SetUp } from './set-up.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds for all answers about one call. A hook waits longer than that, so that a slow judge leads to a question. */
export const JUDGE_TIMEOUT = 15_000;

/** The model of a set-up. A secret in the question is removed: the judge may be elsewhere. */
export function modelOf(setUp: SetUp, environment: Environment, key: () => Promise<string | undefined>): AskModel {
  const ask = setUp.type === 'endpoint' ? endpointModel(setUp, key) : clientModel(setUp, environment);
  return (request) => ask({ ...request, content: redactJson(request.content) });
}

/** A limit for all looks at a call. */
function withinLimit(judge: Judge, timeout: number): Judge {
  let until = 0;
  return (question, { signal: given }) => {
    if (question.look === 1) until = Date.now() + timeout;
    const late = AbortSignal.timeout(Math.max(0, until - Date.now()));
    return judge(question, { signal: AbortSignal.any([platformSignal<AbortSignal>(given), late]) });
  };
}

interface JudgePlace {
  readonly stateFolder: string;
  readonly environment: Environment;
  /** False while earlier events are read again: what was held then is held, and no model is asked about it. */
  readonly isAsked: () => boolean;
  /** Milliseconds for all answers about one call. @default JUDGE_TIMEOUT */
  readonly timeout?: number;
}

function judgeOf({ stateFolder, environment, timeout = JUDGE_TIMEOUT }: JudgePlace): Judge | undefined {
  const setUp = readSetUp(stateFolder);
  if (setUp === undefined) return undefined;
  const place = { stateFolder, platform: process.platform, environment };
  let key: Promise<string | undefined> | undefined;
  const keyOf = (): Promise<string | undefined> => {
    key ??= readKey(place, setUp.type === 'endpoint' ? setUp.key : undefined).catch((cause: unknown) => {
      // A keychain that was locked may be open the next time.
      key = undefined;
      throw cause;
    });
    return key;
  };
  const ask = modelOf(setUp, environment, keyOf);
  return withinLimit(
    judgeWith(async (request) => (await ask(request)).text),
    timeout,
  );
}

function failing(cause: Error): Judge {
  return () => {
    throw cause;
  };
}

/** The judge that a person has set up, if there is one. One that is broken fails, so that a person is asked. */
export function judgeFor(place: JudgePlace): JudgeOptions | undefined {
  let judge: Judge | undefined;
  try {
    judge = judgeOf(place);
  } catch (cause) {
    judge = failing(new Error('The set-up of the judge cannot be used.', { cause }));
  }
  if (judge === undefined) return undefined;
  const notNow = failing(new Error('Earlier calls are not judged again.'));
  return {
    ask: (question, options) => (place.isAsked() ? judge : notNow)(question, options),
    timeout: place.timeout ?? JUDGE_TIMEOUT,
  };
}
