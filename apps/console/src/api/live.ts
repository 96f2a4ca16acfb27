import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

export type LiveState = 'connecting' | 'live' | 'lost';

const RETRY_MILLISECONDS = 5000;

/** Reads approvals and pins again whenever the gateway says that they have changed. */
export function useLive(isEnabled: boolean): LiveState {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => {
    if (!isEnabled) return;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = (): void => {
      source = new EventSource('/api/v1/events');
      source.onopen = () => setState('live');
      source.onmessage = ({ data }: MessageEvent<string>) => {
        const { what } = JSON.parse(data) as { what: string };
        void queries.invalidateQueries({ queryKey: [what] });
      };
      source.onerror = () => {
        setState('lost');
        // A refusal ends the stream for good: the session may be over, which reading shows.
        if (source?.readyState !== EventSource.CLOSED) return;
        void queries.invalidateQueries({ queryKey: ['me'] });
        timer = setTimeout(connect, RETRY_MILLISECONDS);
      };
    };
    connect();
    return () => {
      source?.close();
      clearTimeout(timer);
    };
  }, [isEnabled, queries]);
  return state;
}
