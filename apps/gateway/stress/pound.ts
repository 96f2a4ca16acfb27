// Calls in flight against an address, timed.
import { Agent, request } from 'node:http';

export interface Pounded {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly failed: number;
}

let calls = 0;

function post(agent: Agent, origin: string, headers: Record<string, string>, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(origin);
    const sent = request(
      {
        hostname,
        port,
        path: '/mcp/mail',
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve(answer.statusCode === 200 && text.includes('"content"')));
        answer.on('error', () => resolve(false));
      },
    );
    sent.on('error', () => resolve(false));
    sent.end(body);
  });
}

export interface PoundOptions {
  /** Called in turn. */
  readonly origins: readonly string[];
  readonly key: string;
  readonly bytes: number;
  readonly count: number;
  readonly inFlight: number;
}

/** Reads `count` new texts of a size, in a new conversation every hundred calls. */
export async function pound({ origins, key, bytes, count, inFlight }: PoundOptions): Promise<Pounded> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const times: number[] = [];
  let [left, failed] = [count, 0];
  const work = async (): Promise<void> => {
    while (left > 0) {
      const index = left--;
      const call = ++calls;
      const given = { n: `call ${call}`, bytes };
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: call,
        method: 'tools/call',
        params: { name: 'read', arguments: given },
      });
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'sallyport-conversation': `c-${Math.floor(call / 100)}`,
      };
      const begun = performance.now();
      if (!(await post(agent, origins[index % origins.length] as string, headers, body))) failed++;
      times.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), perSecond: count / seconds, failed };
}
