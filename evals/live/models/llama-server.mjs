// A small server with OpenAI's format around node-llama-cpp, for models in GGUF files. Not a dependency of this repository:
//   npm install --ignore-scripts --omit=optional node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1
// Run it where that is installed:
//   node llama-server.mjs model.gguf 8091
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, port = '8091'] = process.argv.slice(2);
if (file === undefined) {
  console.error('error: no model\n next: node llama-server.mjs model.gguf [port]');
  process.exit(2);
}

// Found from the working directory, since this file belongs to a repository without the package.
const require = createRequire(join(process.cwd(), 'package.json'));
const { getLlama, LlamaCompletion } = await import(pathToFileURL(require.resolve('node-llama-cpp')).href);
const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 2 });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: 2048, threads: 1 });
const completion = new LlamaCompletion({ contextSequence: context.getSequence() });

/** The prompt format of TinyLlama and other models of the Zephyr family. */
function promptOf(messages) {
  const turns = messages.map(({ role, content }) => `<|${role}|>\n${content}</s>\n`);
  return `${turns.join('')}<|assistant|>\n`;
}

async function answer({ messages, max_tokens = 160, temperature = 0 }) {
  const tokens = model.tokenize(promptOf(messages), true);
  // A short context: the newest tokens matter most.
  const input = tokens.slice(-(2048 - max_tokens - 8));
  const text = await completion.generateCompletion(input, {
    maxTokens: max_tokens,
    temperature,
    customStopTriggers: ['</s>', '<|user|>'],
  });
  const usage = { prompt_tokens: input.length, completion_tokens: model.tokenize(text).length };
  const choices = [{ index: 0, message: { role: 'assistant', content: text.trim() }, finish_reason: 'stop' }];
  return { id: 'local', object: 'chat.completion', created: 0, model: 'local', choices, usage };
}

let last = Promise.resolve();
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // One at a time: the context holds one sequence.
  last = last.catch(() => {}).then(() => answer(JSON.parse(Buffer.concat(chunks).toString())));
  try {
    const body = JSON.stringify(await last);
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  } catch (error) {
    response
      .writeHead(500, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: String(error) } }));
  }
}).listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/v1`));
