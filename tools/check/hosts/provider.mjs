// A model that follows a script, behind the API of a provider, on this machine only.
import { createServer } from 'node:http';

/**
 * The format of a provider's requests and answers.
 * @typedef {object} Wire
 * @property {(request: { url: string, body: any }) => boolean} isTurn recognizes a turn of the agent: hosts ask for titles too
 * @property {(body: any) => number} answered the number of calls with a result in the conversation
 * @property {(step: { text: string } | { name: string, input: object | string, id: string }, body: any) => string} write one answer as an event stream
 * @property {string} otherwise the answer to other requests
 */

/** @param {Wire} wire */
export async function startProvider(wire) {
  let script = [];
  let requests = [];
  let failures = [];

  async function answerTo(url, text) {
    const body = text.startsWith('{') ? JSON.parse(text) : {};
    if (!wire.isTurn({ url, body })) return { type: 'application/json', content: wire.otherwise };
    requests.push(body);
    const count = wire.answered(body);
    const { before, ...step } = script[count] ?? { text: 'Done.' };
    await before?.();
    return { type: 'text/event-stream', content: wire.write({ ...step, id: `call_${count + 1}` }, body) };
  }

  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    try {
      const { type, content } = await answerTo(request.url, text);
      response.writeHead(200, { 'content-type': type }).end(content);
    } catch (error) {
      failures.push(error);
      response.writeHead(500).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Plays these steps from the next session on. `before` of a step runs before the model answers. */
    play(steps) {
      script = steps;
      requests = [];
      failures = [];
    },
    last: () => requests.at(-1),
    /** Checks that the model was asked again after the last call of the script. */
    isPlayed() {
      if (failures.length > 0) throw failures[0];
      return requests.some((body) => wire.answered(body) >= script.length);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** An event stream. */
export const events = (all) =>
  all.map(({ event, data }) => `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`).join('');
