// A minimal protected agent: one tool that reads, one that acts, and the loop between them. bench/bundle.mjs bundles it.
import { createBoundary, defineTool, prompt } from 'sallyport';

const boundary = createBoundary({
  tools: [
    defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
    defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send' }),
  ],
});

/**
 * @param {string} question
 * @param {(request: object) => Promise<{ id: string, tool: string, arguments: object }[]>} askModel
 * @param {(call: object) => Promise<string>} runTool
 */
export async function answer(question, askModel, runTool) {
  const conversation = boundary.conversation('bundle');
  conversation.addUserMessage(question);
  const { system, entries } = await conversation.request({ policy: prompt`You answer mail.` });
  const results = [];
  for (const use of await askModel({ system, messages: entries.map(({ framed }) => framed.text) })) {
    const decision = await conversation.check(use);
    if (decision.outcome !== 'allow') results.push(decision.result);
    else {
      const result = conversation.addToolResult({ id: use.id, tool: use.tool, content: await runTool(use) });
      results.push((await conversation.frame(result)).text);
    }
  }
  return results;
}
