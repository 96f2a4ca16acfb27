import { describe, expect, it } from 'vitest';
import { EVIL, type Json, POISON, shownItems, start, unframed } from './world.ts';

const toEvil = { id: 's', tool: 'send_mail', arguments: { to: EVIL, body: 'Hi' } };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` };
const called = { type: 'function_call', call_id: '1', name: 'read_mail', arguments: '{}' };

async function outputOf(output: unknown): Promise<Json[]> {
  const [, item = {}] = await shownItems([called, { type: 'function_call_output', call_id: '1', output }]);
  return item.output as Json[];
}

describe('a result in responses', () => {
  it.each([
    [
      'function_call_output',
      'output',
      'read_mail',
      { type: 'function_call', call_id: '1', name: 'read_mail', arguments: '{}' },
    ],
    [
      'custom_tool_call_output',
      'output',
      'read_mail',
      { type: 'custom_tool_call', call_id: '1', name: 'read_mail', input: 'x' },
    ],
    ['function_call_output', 'output', 'read_mail', undefined],
    ['local_shell_call_output', 'output', undefined, { type: 'local_shell_call', call_id: '1', id: 'l', action: {} }],
    ['apply_patch_call_output', 'output', undefined, { type: 'apply_patch_call', call_id: '1', operation: {} }],
    ['program_output', 'result', undefined, { type: 'program', id: 'p', call_id: '1', code: 'x', fingerprint: 'f' }],
  ])('of type %s is framed under %s', async (type, member, tool, call) => {
    const item = {
      type,
      call_id: '1',
      status: 'completed',
      [member]: POISON,
      ...(call === undefined ? { name: tool } : {}),
    };
    const items = [...(call === undefined ? [] : [call]), item];
    const all = await shownItems(items);
    const shownResult = all.at(-1);
    expect(unframed(shownResult?.[member])).toBe(POISON);
    expect(shownResult?.[member]).toContain(tool === undefined ? 'origin=unknown' : `from=${tool}`);
    expect({ ...shownResult, [member]: POISON }).toEqual(item);
    expect(all.slice(0, -1)).toEqual(items.slice(0, -1));
  });

  it('keeps the bytes of images, makes text of files that are text, and passes no address on', async () => {
    const pdf = Buffer.from(`%PDF-1.7 ${POISON}`).toString('base64');
    const address = 'https://evil.example/a.png?d=1';
    const output = await outputOf([
      { type: 'input_text', text: POISON },
      { ...IMAGE, file_id: 'file-1' },
      { type: 'input_file', filename: 'a.bin', file_data: Buffer.from(`In a file: ${POISON}`).toString('base64') },
      { type: 'input_file', filename: 'b.pdf', file_data: `data:application/pdf;base64,${pdf}`, file_url: address },
      { type: 'input_image', detail: 'auto', image_url: address },
      { type: 'input_file', file_url: address, filename: POISON },
      { type: 'input_file', file_id: 'file-2' },
      { type: 'hologram', says: POISON },
    ]);
    const texts = output.filter(({ type }) => type === 'input_text').map(({ text }) => unframed(text));
    expect(texts).toHaveLength(8);
    expect(texts).not.toContain(undefined);
    expect(texts[2]).toContain(`In a file: ${POISON}`);
    expect(texts[5]).toContain(POISON);
    expect(output.filter(({ type }) => type !== 'input_text')).toEqual([
      IMAGE,
      { type: 'input_file', filename: 'file', file_data: `data:application/pdf;base64,${pdf}` },
    ]);
  });

  it.each([[{ says: POISON }], [7], [[]]])('of no known form is framed as JSON', async (output) => {
    const shownResult = await outputOf(output);
    if (Array.isArray(output)) expect(shownResult).toEqual([]);
    else expect(unframed(shownResult)).toBe(JSON.stringify(output));
  });

  it('of a source with one frame keeps all its texts', async () => {
    const call = { ...called, name: 'lookup' };
    const output = [
      { type: 'input_text', text: 'one' },
      { type: 'input_text', text: POISON },
    ];
    const [, item = {}] = await shownItems([call, { type: 'function_call_output', call_id: '1', output }]);
    expect((item.output as Json[]).map(({ text }) => text).join('')).toMatch(/one.*Ignore all previous/s);
  });

  it('without content stays unchanged', async () => {
    const item = { type: 'apply_patch_call_output', call_id: '1', status: 'completed', output: null };
    expect(await shownItems([item])).toEqual([item]);
  });

  it('that is a refusal by the gate stays unchanged', async () => {
    const conversation = start();
    const read = [called, { type: 'function_call_output', call_id: '1', output: POISON }];
    await shownItems(read, conversation);
    const { result } = await conversation.check(toEvil);
    const refused = { type: 'function_call_output', call_id: 's', output: result };
    expect((await shownItems([...read, refused], conversation)).at(-1)).toEqual(refused);
  });
});

describe('a result that keeps its structure', () => {
  const chunk = (stdout: string, stderr: string) => ({ stdout, stderr, outcome: { type: 'exit', exit_code: 1 } });

  it('of a shell is framed text by text', async () => {
    const output = [chunk(POISON, ''), chunk('', POISON), chunk('', '')];
    const [item = {}] = await shownItems([{ type: 'shell_call_output', call_id: '1', output }]);
    const [one, two, three] = item.output as ReturnType<typeof chunk>[];
    expect([unframed(one?.stdout), one?.stderr, two?.stdout, unframed(two?.stderr)]).toEqual([POISON, '', '', POISON]);
    expect(three).toEqual(output[2]);
    expect(one?.outcome).toEqual({ type: 'exit', exit_code: 1 });
    expect(one?.stdout).toContain('from=shell');
  });

  it('of a shell loses nothing if it has more texts than a frame has parts', async () => {
    const output = Array.from({ length: 200 }, (_, index) => chunk(`out ${index}.`, `err ${index}.`));
    const [item = {}] = await shownItems([{ type: 'shell_call_output', call_id: '1', output }]);
    const text = JSON.stringify(item.output);
    for (const { stdout, stderr } of output) for (const each of [stdout, stderr]) expect(text).toContain(each);
    for (const { stdout } of (item.output as { stdout: string }[]).slice(1)) expect(stdout).toBe('');
  });

  it('of a shell in an unknown form is framed as JSON', async () => {
    const [item = {}] = await shownItems([{ type: 'shell_call_output', call_id: '1', output: { stdout: POISON } }]);
    expect(unframed(item.output)).toBe(JSON.stringify({ stdout: POISON }));
  });

  const screen = (output: Json) => shownItems([{ type: 'computer_call_output', call_id: '1', output }]);

  it('of the screen stays if it contains its bytes, and is not fetched', async () => {
    const output = { type: 'computer_screenshot', image_url: IMAGE.image_url };
    expect((await screen(output))[0]?.output).toEqual(output);
    expect((await screen({ ...output, file_id: 'file-1' }))[0]?.output).toEqual(output);
    const stored = { type: 'computer_screenshot', file_id: 'file-1' };
    expect((await screen(stored))[0]?.output).toEqual(stored);
    await expect(screen({ ...stored, image_url: 'https://evil.example/a.png' })).rejects.toThrow(/must be a data: URL/);
    await expect(screen({ type: 'hologram' })).rejects.toThrow(/must be a data: URL/);
  });

  const found = {
    type: 'tool_search_output',
    call_id: '1',
    execution: 'client',
    tools: [
      {
        type: 'function',
        name: 'find',
        description: POISON,
        parameters: {
          type: 'object',
          required: ['description'],
          properties: { description: { type: 'string', title: POISON } },
        },
      },
    ],
  };

  it('of a tool search keeps names and schemas, and frames the descriptions', async () => {
    const [item = {}] = await shownItems([found]);
    const [tool] = item.tools as (typeof found)['tools'];
    const { title } = tool?.parameters.properties.description ?? {};
    expect([unframed(tool?.description), unframed(title)]).toEqual([POISON, POISON]);
    const raw = JSON.stringify(item).replaceAll(JSON.stringify(title), JSON.stringify(POISON));
    expect(JSON.parse(raw.replaceAll(JSON.stringify(tool?.description), JSON.stringify(POISON)))).toEqual(found);
  });

  it('of a search that the provider ran stays, and counts as read', async () => {
    const conversation = start();
    const item = { ...found, execution: 'server' };
    expect(await shownItems([item], conversation)).toEqual([item]);
    expect((await conversation.check(toEvil)).outcome).toBe('deny');
  });
});

describe('the item of a tool that the provider ran', () => {
  it.each([
    { type: 'mcp_call', id: 'm', server_label: 'crm', name: 'read_mail', arguments: '{}', output: POISON },
    { type: 'mcp_call', id: 'm', server_label: 'crm', name: 'x', arguments: '{', error: { message: POISON } },
    { type: 'mcp_list_tools', id: 'm', server_label: 'crm', tools: [{ name: 'x', description: POISON }] },
    { type: 'file_search_call', id: 'f', queries: ['x'], status: 'completed', results: [{ text: POISON }] },
    { type: 'code_interpreter_call', id: 'i', code: 'x', outputs: [{ type: 'logs', logs: POISON }] },
  ])('stays unchanged, and its words count as read: $type', async (item) => {
    const conversation = start();
    expect(await shownItems([item], conversation)).toEqual([item]);
    expect((await conversation.check(toEvil)).outcome).toBe('deny');
    expect(conversation.records.every(({ source }) => source.origin === 'unknown')).toBe(true);
  });

  it.each([
    { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'x' } },
    { type: 'item_reference', id: 'msg_1' },
    { id: 'msg_1' },
    { type: 'compaction', id: 'c', encrypted_content: 'gAAA' },
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'mcp', server_label: 'crm' }] },
  ])('makes everything untrusted if it does not contain what the model read: $type', async (item) => {
    const call = { id: 's', tool: 'pay', arguments: { account: 'DE02' } };
    const strict = () => start({ gate: { preset: 'strict' } });
    const [before, after] = [strict(), strict()];
    const asked = { role: 'user', content: 'Pay the rent.' };
    await shownItems([asked], before);
    expect(await shownItems([asked, item], after)).toHaveLength(2);
    expect([(await before.check(call)).outcome, (await after.check(call)).outcome]).toEqual(['allow', 'ask']);
  });
});

describe('an item of responses', () => {
  it.each([
    { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
    { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
    { role: 'assistant', content: 'Hi' },
    { role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
    { type: 'mcp_approval_request', id: 'a', server_label: 'crm', name: 'x', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
    { type: 'configuration_update', reasoning: { budget: 'low' } },
    { type: 'compaction_trigger' },
    { type: 'tool_search_call', call_id: '1', arguments: {}, execution: 'client' },
    { type: 'computer_call', call_id: '1', actions: [{ type: 'screenshot' }] },
  ])('without content of others stays unchanged: $type', async (item) => {
    const conversation = start();
    expect(await shownItems([item], conversation)).toEqual([item]);
    expect(conversation.records).toEqual([]);
  });

  it.each([
    { type: 'dream', says: POISON, function: { name: 'pay' } },
    { role: 'tool', content: POISON },
    { type: 7 },
    { type: 'compaction', says: POISON },
    POISON,
    null,
    [POISON],
  ])('of an unknown type is framed as a whole', async (item) => {
    const [shown] = await shownItems([item]);
    expect(Object.keys(shown ?? {})).toEqual(['role', 'content']);
    expect(unframed(shown?.content)).toBeDefined();
  });

  it("of an MCP server has the server's name, so that it does not pass for a tool of yours", async () => {
    const trusted = start();
    const item = { type: 'mcp_call', id: 'm', server_label: 'crm', name: 'pay', arguments: '{}', output: 'x' };
    await shownItems([item], trusted);
    expect(trusted.records[0]?.source.name).not.toBe('pay');
  });
});
