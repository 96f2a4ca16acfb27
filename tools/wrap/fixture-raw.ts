// A server without an SDK, for what no SDK writes: batches, numbers past 2^53, members nobody knows, keys in odd order,
// and the tasks of 2026-07-28, for which SDK v2 has no server.
import { createInterface } from 'node:readline';
import { endWithInput, MAIL, tell } from './fixture/texts.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const TASK = '"taskId":"t-1","createdAt":"2026-08-01T00:00:00Z","lastUpdatedAt":"2026-08-01T00:00:01Z","ttlMs":60000';
const TOOLS =
  '{"tools":[{"inputSchema":{"type":"object"},"description":"Tells numbers and words.","name":"numbers"},' +
  '{"name":"report","inputSchema":{"type":"object"},"description":"Writes a report in the background."}]}';
const NUMBERS = '"huge":12345678901234567890,"tiny":1.0,"wide":1e400,"minus":-0,"deep":{"z":1,"a":[1e5,0.10]}';
/** Each is the text of a result, byte for byte. */
const RESULTS: Readonly<Record<string, string>> = {
  ping: '{}',
  'tools/list': TOOLS,
  'acme/numbers': `{${NUMBERS}}`,
  'call numbers': `{"zeta":1,"content":[{"acme":{"b":2,"a":1},"text":${JSON.stringify(MAIL)},"type":"text"}],${NUMBERS}}`,
  'call report': `{"resultType":"task",${TASK},"status":"working","statusMessage":"The report is being written.","pollIntervalMs":20}`,
  'tasks/get': `{"resultType":"complete",${TASK},"status":"completed","result":{"content":[{"type":"text","text":${JSON.stringify(MAIL)}}]}}`,
  'tasks/update': '{"resultType":"complete"}',
  'tasks/cancel': '{"resultType":"complete"}',
};
const DISCOVERED =
  '{"resultType":"complete","supportedVersions":["2026-07-28"],"instructions":"These notes tell how to use it.",' +
  '"capabilities":{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"private"}';

function resultOf({ method, params }: Message): string | undefined {
  if (method === 'initialize')
    return `{"serverInfo":{"version":"1","name":"raw"},"capabilities":{"tools":{}},"protocolVersion":${JSON.stringify(params?.protocolVersion)}}`;
  if (method === 'server/discover') return DISCOVERED;
  return RESULTS[method === 'tools/call' ? `call ${params?.name}` : String(method)];
}

function answerTo(message: Message): string | undefined {
  if (message.method === 'acme/end') process.exit(9);
  if (message.id === undefined || message.method === undefined) {
    tell(`got ${message.method ?? 'a response'}`);
    return undefined;
  }
  const id = JSON.stringify(message.id);
  const result = resultOf(message);
  return result === undefined
    ? `{"error":{"message":"Nobody knows the method ${message.method} here.","code":-32601,"data":{"huge":98765432109876543210}},"id":${id},"jsonrpc":"2.0"}`
    : `{"id":${id},"x-unknown":{"b":1,"a":2},"result":${result},"jsonrpc":"2.0"}`;
}

const say = (line: string | undefined): unknown => line === undefined || process.stdout.write(`${line}\n`);

endWithInput();
for await (const line of createInterface({ input: process.stdin })) {
  const message: Message | Message[] = JSON.parse(line);
  if (Array.isArray(message)) say(`[${message.map(answerTo).filter((answer) => answer !== undefined)}]`);
  else say(answerTo(message));
  if (!Array.isArray(message) && message.method === 'tools/call' && message.params?.name === 'report')
    say(
      `{"method":"notifications/tasks","params":{${TASK},"status":"working","statusMessage":"Half of it is written."},"jsonrpc":"2.0"}`,
    );
}
