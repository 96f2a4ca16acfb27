// The result of one feature at one target: passed, failed with the difference, or impossible with the reason.
import { differenceOf } from './compare.ts';
import type { Feature } from './feature.ts';
import type { LoggedIn } from './http/logged-in.ts';
import { isAnnotated, opened } from './open.ts';
import { hasWrap, isOurs, overHttp, type Target } from './target.ts';
import { TestContext } from './test-context.ts';
import type { Wire } from './wire.ts';

export type Cell =
  | { readonly type: 'passed'; readonly wire: Wire | undefined }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'impossible'; readonly reason: string };

const LIMIT_MS = 90_000;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function limited<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

interface Played {
  readonly outcome: unknown;
  /** The outcome with its frames opened, without values that change in each run. */
  readonly plain: unknown;
  readonly wire: Wire | undefined;
}

async function play(feature: Feature, target: Target, remote: LoggedIn | undefined): Promise<Played> {
  const context = new TestContext(target, feature);
  try {
    if (target === 'remote' && remote !== undefined) await limited(context.serve(remote));
    const outcome = JSON.parse(JSON.stringify((await limited(feature.run(context))) ?? null));
    await limited(context.close());
    const structured = feature.structured ?? 'typed';
    const wire = context.wire({
      structured,
      raw: target === 'bare' || feature.raw === true,
      ours: isOurs(target),
      framed: target !== 'annotate' && isOurs(target) && structured !== 'keep' && feature.hasPage !== true,
      vetoes: feature.gated !== undefined,
      killed: feature.server === 'everything',
    });
    const text = JSON.stringify(isOurs(target) ? opened(outcome) : outcome).replaceAll(context.files, 'FOLDER');
    const plain = JSON.parse(feature.volatile === undefined ? text : text.replace(feature.volatile, 'NEW'));
    return { outcome, plain, wire };
  } finally {
    await limited(context.close()).catch(() => {});
    context.remove();
  }
}

/** In mode annotate, everything is as the server sent it, with annotations of its source. */
function problemOf(feature: Feature, target: Target, direct: unknown, played: Played): string | undefined {
  if (feature.gated !== undefined) return undefined;
  const difference = differenceOf(direct, played.plain, feature.structured ?? 'typed', 'outcome');
  if (difference !== undefined || feature.raw === true) return difference;
  if (target === 'annotate' && feature.annotated === true && !isAnnotated(played.outcome)) return 'no annotation';
  return undefined;
}

/** Why a feature does not exist over HTTP. */
function remoteProblem(feature: Feature): string | undefined {
  return feature.local ?? (overHttp(feature.server) === undefined ? 'This server only speaks stdio.' : undefined);
}

/** Runs a feature at a target. `direct` contains the outcomes without a proxy. */
export async function cellOf(
  feature: Feature,
  target: Target,
  direct: Map<string, unknown>,
  remote: LoggedIn | undefined,
): Promise<Cell> {
  const problem = target === 'remote' ? remoteProblem(feature) : undefined;
  if (problem !== undefined) return { type: 'impossible', reason: problem };
  if (feature.gated !== undefined && !isOurs(target)) return { type: 'impossible', reason: feature.gated };
  if (isOurs(target) && !hasWrap()) return { type: 'failed', reason: 'apps/cli is not built' };
  try {
    const played = await play(feature, target, remote);
    if (target === 'direct') direct.set(feature.name, played.plain);
    const reason = target === 'direct' ? undefined : problemOf(feature, target, direct.get(feature.name), played);
    return reason === undefined ? { type: 'passed', wire: played.wire } : { type: 'failed', reason };
  } catch (error) {
    return { type: 'failed', reason: messageOf(error) };
  }
}
