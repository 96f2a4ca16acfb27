// Messages in both directions during a connection, in the protocol up to 2025-11-25, with the client of SDK v1.
import { connectV1 } from '../clients.ts';
import { expect, type Feature, until } from '../feature.ts';

const IN = { era: '2025-11-25 and before', server: 'v1' } as const;
const PARALLEL = 50;

/** A tool that sends a request to the client: records the request, and the result of its answer. */
const asking = (name: string, tool: string, method: string): Feature => ({
  ...IN,
  name,
  async run(context) {
    const { client, diary } = await connectV1(context);
    const result = await client.callTool({ name: tool });
    expect(
      diary.some((entry) => entry.method === method),
      `${method} did not come`,
    );
    return [diary, result];
  },
});

export const TALK: readonly Feature[] = [
  {
    ...IN,
    name: 'logging: setLevel, message',
    async run(context) {
      const { client, diary } = await connectV1(context);
      await client.setLoggingLevel('info');
      await client.callTool({ name: 'log' });
      await until(() => diary.length > 1, 'notifications/message');
      return diary;
    },
  },
  {
    ...IN,
    name: 'progress',
    async run(context) {
      const { client } = await connectV1(context);
      const steps: unknown[] = [];
      const result = await client.callTool({ name: 'slow' }, undefined, { onprogress: (step) => steps.push(step) });
      expect(steps.length === 10, `${steps.length} steps came before the result`);
      return [steps, result];
    },
  },
  {
    ...IN,
    name: 'cancellation reaches the server',
    async run(context) {
      const { client } = await connectV1(context);
      const controller = new AbortController();
      const onprogress = () => controller.abort();
      const call = client.callTool({ name: 'slow' }, undefined, { signal: controller.signal, onprogress });
      await call.then(
        () => expect(false, 'the call was not cancelled'),
        () => {},
      );
      await until(() => context.stderr().includes('FIXTURE cancelled'), 'the server to hear of it');
      return 'cancelled';
    },
  },
  asking('sampling', 'ask_model', 'sampling/createMessage'),
  asking('elicitation', 'ask_user', 'elicitation/create'),
  {
    ...IN,
    name: 'roots, roots/list_changed',
    async run(context) {
      const { client, diary } = await connectV1(context);
      const result = await client.callTool({ name: 'roots' });
      await client.sendRootsListChanged();
      await until(() => context.stderr().includes('FIXTURE roots changed'), 'the server to hear of it');
      return [diary, result];
    },
  },
  {
    ...IN,
    name: 'tools/list_changed',
    async run(context) {
      const { client, diary } = await connectV1(context);
      await client.callTool({ name: 'add_tool' });
      await until(() => diary.length > 0, 'notifications/tools/list_changed');
      return diary;
    },
  },
  {
    ...IN,
    name: 'ping both ways',
    async run(context) {
      const { client } = await connectV1(context);
      return [await client.ping(), await client.callTool({ name: 'ping_client' })];
    },
  },
  {
    ...IN,
    name: '50 calls at once',
    async run(context) {
      const { client } = await connectV1(context);
      const calls = Array.from({ length: PARALLEL }, (_, index) =>
        client.callTool({ name: 'echo', arguments: { text: `This is the text of call ${index}.` } }),
      );
      const results = await Promise.all(calls);
      for (const [index, result] of results.entries())
        expect(JSON.stringify(result).includes(`call ${index}.`), `call ${index} has the result of another`);
      return results;
    },
  },
  {
    ...IN,
    name: 'tasks of 2025-11-25: create, get, list, result',
    volatile: /(?<=")(?:[0-9a-f]{32}|\d{4}-\d\d-\d\dT[\d:.]+Z)(?=")/g,
    async run(context) {
      const { client } = await connectV1(context);
      await client.listTools({ cursor: '15' });
      const seen: unknown[] = [];
      const { tasks } = client.experimental;
      const stream = tasks.callToolStream({ name: 'report', arguments: { topic: 'rain' } }, undefined, {
        task: { ttl: 60_000 },
      });
      for await (const message of stream) {
        if (message.type === 'error') throw message.error;
        if (message.type !== 'taskStatus') seen.push(message);
      }
      const { tasks: listed } = await tasks.listTasks();
      expect(JSON.stringify(seen).includes('The report on rain'), 'no result came');
      return [seen, listed];
    },
  },
];
