import { Agent, handoff, shellTool, tool, webSearchTool } from '@openai/agents';
import { createBoundary } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { protect } from '../src/index.ts';
import { Scripted } from './scripted.ts';

const provider = { getModel: () => new Scripted([]) };
const send = tool({
  name: 'send_mail',
  description: 'sends',
  parameters: z.object({ to: z.string(), body: z.string() }),
  execute: async () => 'sent',
});
const open = () => createBoundary().conversation('c');

describe('declarations', () => {
  it.each([
    ['that are missing', {}, /The tool send_mail is not declared/],
    ['without a tool', { send_mail: { effect: 'send' }, send_mails: { effect: 'send' } }, /Did you mean send_mail\?/],
    ['with a misspelt argument', { send_mail: { effect: 'send', modelText: ['bodi'] } }, /Did you mean body\?/],
  ])('%s are refused', (_, declare, message) => {
    expect(() => protect(open(), { provider, tools: [send], declare: declare as never })).toThrow(message);
  });

  it('are needed for a shell and for handoffs that are passed, and not for tools that the provider runs', () => {
    const shell = shellTool({ shell: { run: async () => ({ output: [] }) } });
    const own = handoff(new Agent({ name: 'Refunds' }));
    expect(() => protect(open(), { provider, tools: [shell], declare: {} })).toThrow(/The tool shell is not declared/);
    expect(() => protect(open(), { provider, tools: [], handoffs: [own], declare: {} })).toThrow(
      /The tool transfer_to_Refunds is not declared/,
    );
    const search = webSearchTool();
    const { tools } = protect(open(), { provider, tools: [search], declare: {} });
    expect(tools[0]).toBe(search);
  });
});
