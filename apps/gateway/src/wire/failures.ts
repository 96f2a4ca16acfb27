import { codeOf, type Log } from '../operate/log.ts';
import type { Metrics } from '../operate/metrics.ts';
import { AnchorFailure } from '../store/audit/anchors.ts';
import { FeedError } from '../store/audit/send-feed.ts';
import { AuditDamage } from '../store/chains.ts';

/** Where the parts of a replica report failures. Only codes are kept: messages may quote content. */
export interface Failures {
  readonly onError: (cause: unknown) => void;
  readonly onRedisError: (cause: unknown) => void;
}

export function createFailures(metrics: Metrics, log: Log): Failures {
  return {
    onError: (cause) => {
      metrics.failure(codeOf(cause));
      // This message has no content: only the id of the workspace, the number of a row, and what to do.
      if (cause instanceof AuditDamage) log.error(cause.message, { code: codeOf(cause), workspace: cause.workspace });
      else if (cause instanceof AnchorFailure || cause instanceof FeedError)
        log.error(cause.message, { code: codeOf(cause) });
      else log.error('request or background task failed', { code: codeOf(cause) });
    },
    onRedisError: (cause) => {
      metrics.failure(codeOf(cause));
      log.warn('Redis is unavailable: continuing without it', { code: codeOf(cause) });
    },
  };
}
