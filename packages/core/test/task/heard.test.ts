import { describe, expect, it } from 'vitest';
import { type Content, createBoundary, defineTool } from '../../src/index.ts';
import { signs } from '../world.ts';

const TOOLS = [defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['body'] })];
const IMAGE = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;

const ROWS: readonly { title: string; content: Content; expected: string }[] = [
  { title: 'a text', content: 'Sum this up.', expected: 'send, not asked, model' },
  {
    title: 'a text with an image',
    content: [{ type: 'text', text: 'Sum this up.' }, IMAGE],
    expected: 'send, not asked, model',
  },
  {
    title: 'a request with an image',
    content: [{ type: 'text', text: 'Mail this.' }, IMAGE],
    expected: 'send, asked, model',
  },
];

describe('the user is heard', () => {
  it.each(ROWS)('in $title: $expected', async ({ content, expected }) => {
    const conversation = createBoundary({ tools: TOOLS, classifier: signs }).conversation('c');
    conversation.addUserMessage(content);
    await conversation.request();
    const { cell } = await conversation.check({ id: '1', tool: 'send_mail', arguments: { to: 'ann@firm.example' } });
    expect(cell).toBe(expected);
  });
});
