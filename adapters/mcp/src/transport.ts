import { fieldsOf, isFields } from '@sallyport/core/adapter';
import type { Channel } from './channel.ts';
import { Queue } from './queue.ts';

/** The shape of a client transport: that of either SDK version, or your own. */
export interface TransportLike {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: unknown;
}

type Deliver = (message: unknown, ...extra: readonly unknown[]) => void;

/** The same transport with the types of its callers. */
interface Wire {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: Deliver | undefined;
  onclose?: ((...given: readonly unknown[]) => void) | undefined;
  onerror?: (error: unknown) => void;
}

/** With protocol 2026-07-28 over HTTP, a request is cancelled by its signal, without a message. */
function isAborted(options: unknown): boolean {
  return fieldsOf(fieldsOf(options).requestSignal).aborted === true;
}

/** The transport with a channel between it and the client. All other members, private ones included, stay unchanged. */
export function decorate<T extends TransportLike>(inner: T, channel: Channel): T {
  const wire = inner as unknown as Wire;

  async function send(message: unknown, options?: unknown): Promise<void> {
    // A batch (protocol 2025-03-26) is sent message by message, so that every call in it is checked.
    if (Array.isArray(message)) for (const each of message) await send(each, options);
    else if (isFields(message)) {
      const { forward, answer } = await channel.send(message, () => isAborted(options));
      if (forward !== undefined) await wire.send(forward, options);
      else if (answer?.id !== undefined) own.onmessage?.(answer);
    } else await wire.send(message, options);
  }

  async function start(): Promise<void> {
    channel.open();
    try {
      await wire.start();
    } catch (error) {
      channel.close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    queue.clear();
    channel.close();
    await wire.close();
  }

  // These members belong to the decorated transport. A client may replace them: version 2 does so while it negotiates.
  const own: Wire = { start, send, close, onmessage: wire.onmessage, onclose: wire.onclose };
  const queue = new Queue((error) => wire.onerror?.(error));
  wire.onmessage = (message, ...extra) => {
    // The message is recorded first, even if no handler is set yet.
    queue.pass(channel.receive(message), (arrived) => {
      if (arrived !== undefined) own.onmessage?.(arrived, ...extra);
    });
  };
  wire.onclose = (...given) => {
    // A server may close the connection as soon as it has answered.
    queue.pass(undefined, () => {
      channel.close();
      own.onclose?.(...given);
    });
  };

  return new Proxy(inner, {
    get(target, property) {
      if (Object.hasOwn(own, property)) return Reflect.get(own, property);
      const value: unknown = Reflect.get(target, property, target);
      // A method needs its own object for its private members. A handler that was set is returned unchanged.
      const isMethod = typeof value === 'function' && property !== 'constructor' && !Object.hasOwn(target, property);
      return isMethod ? value.bind(target) : value;
    },
    set(target, property, value) {
      const holder: object = Object.hasOwn(own, property) ? own : target;
      return Reflect.set(holder, property, value, holder);
    },
  });
}
