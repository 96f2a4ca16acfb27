import { describe, expect, it } from 'vitest';
import { META, type ProxyOptions } from '../src/index.ts';
import { DOUBT, EVE, KEY, listed, type Rig } from './fixture/rig.ts';

const VERSION = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const MODERN = { ...VERSION, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const PENDING = { [META.decision]: { outcome: 'ask', rule: 'alarm' } };
const YES = { 'sallyport-approval': { action: 'accept', content: { approve: true } } };

interface Asked {
  readonly rig: Rig;
  readonly state: string;
  /** The same call again, with what a person said; gives the outcome, as the server or the client sees it. */
  again(more?: Readonly<Record<string, unknown>>, given?: unknown): Promise<unknown>;
}

async function asked(options: Partial<ProxyOptions> = {}, text: string = DOUBT): Promise<Asked> {
  const rig = await listed(options);
  await rig.read(text, MODERN);
  await rig.call(1, { to: EVE, n: 1 }, { _meta: MODERN });
  expect(rig.server).toEqual([]);
  const { id, result } = rig.message();
  expect(id).toBe(1);
  expect(result.resultType).toBe('input_required');
  let next = 1;
  return {
    rig,
    state: result.requestState,
    again: async (more = {}, given = { to: EVE, n: 1 }) => {
      await rig.call(++next, given, { requestState: result.requestState, inputResponses: YES, _meta: MODERN, ...more });
      await rig.settle();
      if (rig.server.length > 0) return JSON.parse(rig.sent());
      const { result: answer } = rig.message();
      return answer._meta ?? answer;
    },
  };
}

describe('an approval in place of a result (protocol 2026)', () => {
  it("shows a form under the proxy's own name, with an opaque state", async () => {
    const rig = await listed();
    await rig.read(DOUBT, MODERN);
    await rig.call(1, { to: EVE }, { _meta: MODERN });
    const { result } = rig.message();
    const request = result.inputRequests['sallyport-approval'];
    expect(Object.keys(result.inputRequests)).toEqual(['sallyport-approval']);
    expect(request.method).toBe('elicitation/create');
    expect(request.params).toMatchObject({
      mode: 'form',
      message: expect.stringContaining('Sallyport holds a call of mail'),
    });
    expect(result.requestState).toMatch(/^sallyport\.\d+\.random-\d+\.[\w-]+$/);
  });

  it("sends the call without the proxy's question", async () => {
    const { again } = await asked();
    const { params } = (await again()) as { params: unknown };
    expect(params).toEqual({ name: 'send', arguments: { to: EVE, n: 1 }, _meta: MODERN });
  });

  it('is valid for any order of the arguments', async () => {
    const { again } = await asked();
    expect(await again({}, { n: 1, to: EVE })).toHaveProperty('params');
  });

  it.each([
    ['declined', { action: 'decline' }, 'rejected'],
    ['accepted without approving', { action: 'accept', content: { approve: false } }, 'rejected'],
    ['cancelled', { action: 'cancel' }, 'alarm'],
    ['left out', undefined, 'alarm'],
  ])('does not send the call if it was %s', async (_, answer, rule) => {
    const { again } = await asked();
    const said = await again({ inputResponses: { 'sallyport-approval': answer, other: YES['sallyport-approval'] } });
    expect(said).toMatchObject({ [META.decision]: { rule } });
  });

  it('is valid once', async () => {
    const { again } = await asked();
    expect(await again()).toHaveProperty('params');
    expect(await again()).toEqual(PENDING);
    expect(await again()).toEqual(PENDING);
  });

  it('is valid once even if it was declined first', async () => {
    const { again } = await asked();
    await again({ inputResponses: { 'sallyport-approval': { action: 'decline' } } });
    expect(await again()).toEqual(PENDING);
  });

  it.each([
    ['another value', { to: EVE, n: 2 }],
    ['one value more', { to: EVE, n: 1, cc: EVE }],
    ['one value less', { to: EVE }],
    ['another place', { to: 1, n: EVE }],
  ])('is not valid for other arguments: %s', async (_, given) => {
    const { again } = await asked();
    expect(await again({}, given)).toMatchObject({ resultType: 'input_required' });
  });

  it('is not valid for another tool', async () => {
    const { rig, again } = await asked({ tools: { read: { effect: 'send' } } });
    expect(await again({ name: 'read' })).toMatchObject({ resultType: 'input_required' });
    expect(rig.server).toEqual([]);
  });

  it('is not valid in another conversation', async () => {
    const { rig, again } = await asked();
    const meta = { ...MODERN, 'sallyport/conversation': 'c' };
    await rig.read(DOUBT, meta);
    expect(await again({ _meta: meta })).toMatchObject({ resultType: 'input_required' });
  });

  it('is not valid after its time', async () => {
    let now = 1_000_000;
    const { again, state } = await asked({ clock: () => now, askTimeout: 1000 });
    expect(state).toContain('.1010000.');
    now = 1_010_000;
    expect(await again()).toEqual(PENDING);
  });

  it.each([
    ['a later end', (state: string) => state.replace(/\.(\d+)\./, '.9999999999999.')],
    ['another id', (state: string) => state.replace('random', 'rand0m')],
    ['another code', (state: string) => `${state.slice(0, -1)}${state.endsWith('0') ? '1' : '0'}`],
    ['no code', (state: string) => state.replace(/[^.]+$/, '')],
    ['more behind', (state: string) => `${state}0`],
    ['a list', (state: string) => [state]],
    ['nothing', () => undefined],
  ])('is not valid with a changed state: %s', async (_, change) => {
    const { again, state } = await asked();
    expect(await again({ requestState: change(state) })).toMatchObject({ resultType: 'input_required' });
  });

  it('is not valid with a state under another key', async () => {
    const other = await asked({ key: KEY.map((byte) => byte ^ 1) });
    const { again } = await asked();
    expect(await again({ requestState: other.state })).toMatchObject({ resultType: 'input_required' });
  });

  it('is not valid under another revision of the policy', async () => {
    const other = await asked({ revision: '1' });
    const { again } = await asked({ revision: '2' });
    expect(await again({ requestState: other.state })).toMatchObject({ resultType: 'input_required' });
  });

  it('does not send a call that is denied now', async () => {
    let isClosed = false;
    const closed = () => (isClosed ? { outcome: 'deny' as const, reason: 'The office is closed.' } : undefined);
    const { again } = await asked({ gate: { rules: { closed } } });
    isClosed = true;
    expect(await again()).toEqual({ [META.decision]: { outcome: 'deny', rule: 'closed' } });
  });

  it('does not send a call of a tool that is held meanwhile', async () => {
    const { rig, again } = await asked();
    await rig.list([{ name: 'send', inputSchema: {} }]);
    expect(await again()).toEqual({ [META.decision]: { outcome: 'deny', rule: 'pinned' } });
  });

  it('is not requested if the call does not declare support for forms', async () => {
    const rig = await listed();
    await rig.initialize({ elicitation: {} });
    await rig.read(DOUBT);
    await rig.call(1, { to: EVE }, { _meta: VERSION });
    await rig.settle();
    expect(rig.message()).toMatchObject({ id: 1, result: { resultType: 'complete', _meta: PENDING } });
  });

  it('comes from the approver if the client cannot show forms', async () => {
    const rig = await listed({ approver: async () => ({ by: 'Ann' }) });
    await rig.read(DOUBT);
    await rig.call(1, { to: EVE }, { _meta: VERSION });
    await rig.settle();
    expect(JSON.parse(rig.sent()).id).toBe(1);
  });
});
