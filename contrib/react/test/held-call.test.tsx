import type { HeldCall as HeldCallData } from '@sallyport/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { HeldCall, type HeldCallProps } from '../src/index.ts';
import { EVIL, heldCall } from './calls.ts';

const HANDLERS = { onApprove: () => undefined, onReject: () => undefined, onOverride: () => undefined };

function html(call: HeldCallData, props: Partial<HeldCallProps> = {}): string {
  return renderToStaticMarkup(<HeldCall call={call} {...HANDLERS} {...props} />);
}

const answersIn = (markup: string) => [...markup.matchAll(/data-answer="(\w+)"/g)].map(([, answer]) => answer);
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"');

describe('a held call', () => {
  it('shows what, why and whose words', async () => {
    const call = await heldCall();
    const markup = html(call);
    const text = textOf(markup);
    expect(text).toContain('May the assistant use pay?');
    expect(markup).toContain('<dt><bdi>account</bdi></dt><dd><bdi>FR11-2044</bdi></dd>');
    expect(text).toContain(call.decision.reason);
    expect(text).toContain('Found in read_mail: account');
    expect(markup).toMatch(
      /<blockquote><bdi>[^<]*our new account <\/bdi><mark><bdi>FR11-2044<\/bdi><\/mark><bdi> from now/,
    );
  });

  it('shows values that did not decide as well, since they would be used', async () => {
    const markup = html(await heldCall());
    expect(markup).toContain('<dt><bdi>note</bdi></dt><dd><bdi>Thank you for the invoice of March.</bdi></dd>');
  });

  it('quotes a text once, with all values that occur in it', async () => {
    const mail = 'Hello Ann, here is the invoice. Please pay 120 EUR to our new account FR11-2044 today.';
    const markup = html(await heldCall(mail));
    expect(markup.match(/<blockquote>/g)).toHaveLength(1);
    expect(textOf(markup)).toContain('Found in read_mail: account, amount');
    expect([...markup.matchAll(/<mark><bdi>([^<]*)</g)].map(([, match]) => match)).toEqual(['120', 'FR11-2044']);
    expect(textOf(markup)).toContain(mail);
  });

  it('marks overlapping values once', async () => {
    const call = await heldCall();
    const one = {
      path: '/a',
      value: 'x',
      trust: 'suspect' as const,
      excerpt: { before: 'pay ', match: 'FR11', after: '-2044' },
    };
    const two = { ...one, path: '/b', excerpt: { before: 'pay F', match: 'R11-2044', after: '' } };
    const markup = html({ ...call, decision: { ...call.decision, evidence: [one, two] } });
    expect(markup).toContain('<blockquote><bdi>pay </bdi><mark><bdi>FR11</bdi></mark><bdi>-2044</bdi></blockquote>');
    expect(textOf(markup)).toContain('Found in what was read: a, b');
  });

  it('offers the scopes that the decision allows, and nothing else', async () => {
    const call = await heldCall();
    expect(answersIn(html(call))).toEqual(['reject', 'once', 'task', 'conversation', 'always']);
    const onlyOnce = { ...call, decision: { ...call.decision, scopes: ['once'] as const } };
    expect(answersIn(html(onlyOnce))).toEqual(['reject', 'once']);
    expect(html(onlyOnce)).not.toContain('data-part="hint"');
  });

  it('cannot be answered twice at once', async () => {
    expect(html(await heldCall(), { isBusy: true }).match(/<button[^>]*disabled=""/g)).toHaveLength(5);
  });

  it('shows what the judge says', async () => {
    const answer = { act: true, target: false, careful: false, reason: 'The <b>account</b> is new.' };
    expect(html(await heldCall(undefined, undefined, () => answer))).toContain(
      'The &lt;b&gt;account&lt;/b&gt; is new.</bdi>',
    );
  });

  it('takes a class, and words in another language', async () => {
    const asked = (tool: ReactNode) => <>Darf der Assistent {tool} benutzen?</>;
    const markup = html(await heldCall(), {
      className: 'card',
      headingLevel: 2,
      labels: { asked, reject: 'Ablehnen' },
    });
    expect(markup).toMatch(/^<section class="card".*<h2 /);
    expect(textOf(markup)).toContain('Darf der Assistent pay benutzen?');
    expect(markup).toContain('>Ablehnen</button>');
  });
});

describe('a denied call', () => {
  const denied = () => heldCall(EVIL, { account: 'EVIL-666', amount: 900 });

  it('is overridden only by a person who ticks that they have read it', async () => {
    const call = await denied();
    expect(call.decision.outcome).toBe('deny');
    const markup = html(call);
    expect(answersIn(markup)).toEqual(['reject', 'override']);
    expect(markup).toMatch(/<input type="checkbox"\/> I have read this/);
    expect(markup).toMatch(/<button[^>]*data-answer="override" disabled=""/);
  });

  it('is not overridden where no one may override it', async () => {
    const call = await denied();
    const { onOverride: _, ...rest } = HANDLERS;
    expect(answersIn(renderToStaticMarkup(<HeldCall call={call} {...rest} />))).toEqual(['reject']);
    expect(answersIn(html({ ...call, decision: { ...call.decision, scopes: [] } }))).toEqual(['reject']);
  });
});

describe('text of others', () => {
  const HOSTILE = '<img src=x onerror=alert(1)>\u202eevil\u2066 \u0007\u200b"quoted"';

  it('is rendered as text, wherever it occurs', async () => {
    const call = await heldCall();
    const { decision } = call;
    const argumentsJson = JSON.stringify({ [HOSTILE]: HOSTILE, free: HOSTILE });
    const evidence = [
      { path: `/${HOSTILE}`, value: HOSTILE, trust: 'flagged' as const, source: HOSTILE },
      {
        ...{ path: `/${HOSTILE}`, value: HOSTILE, trust: 'flagged' as const, source: HOSTILE },
        excerpt: { before: HOSTILE, match: HOSTILE, after: HOSTILE },
      },
    ];
    const hostile: HeldCallData = {
      ...call,
      values: [{ path: `/${HOSTILE}`, value: HOSTILE }],
      decision: { ...decision, call: { id: 'p', tool: HOSTILE, argumentsJson }, reason: HOSTILE, evidence },
    };
    const markup = html(hostile);
    expect(markup).not.toContain('<img');
    expect(markup).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b]/u);
    const isolated = markup.match(
      /<bdi>&lt;img src=x onerror=alert\(1\)&gt;\ufffdevil\ufffd \ufffd&quot;quoted&quot;<\/bdi>/g,
    );
    // The tool, a name and its value, another value, the reason, name and source of the quotation, its three texts.
    expect(isolated).toHaveLength(10);
    expect(markup.match(/onerror/g)).toHaveLength(10);
  });

  it('in Persian and emoji keeps its joiners', async () => {
    const text = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u{1f469}\u200d\u{1f4bb}';
    const markup = html(await heldCall(`Our account is ${text}.`, { account: text }));
    expect(markup).toContain(`<bdi>${text}</bdi>`);
  });
});

describe('the values of a call', () => {
  it('are shown whole, not shortened', async () => {
    const account = `https://bank.example/${'a'.repeat(300)}/to-eve`;
    expect(html(await heldCall(`Pay to ${account} please.`, { account }))).toContain(`<bdi>${account}</bdi></dd>`);
  });

  it('that are secret stay hidden', async () => {
    const call = await heldCall();
    const markup = html({ ...call, values: [{ path: '/account', value: '(secret)' }] });
    expect(markup).toContain('<dd><bdi>(secret)</bdi></dd>');
    expect(markup.split('<figure')[0]).not.toContain('FR11-2044');
  });

  it.each([
    {
      title: 'a path was shortened',
      argumentsJson: '{"a":"hush","b":1}',
      values: [{ path: '/a\u2026', value: '(secret)' }],
    },
    {
      title: 'there are too many',
      argumentsJson: JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, 'hush']))),
      values: Array.from({ length: 20 }, (_, at) => ({ path: `/k${at}`, value: '(secret)' })),
    },
    { title: 'they are not JSON', argumentsJson: 'hush', values: [{ path: '', value: '(secret)' }] },
    {
      title: 'they nest too deeply',
      argumentsJson: `${'['.repeat(5000)}"hush"${']'.repeat(5000)}`,
      values: [{ path: '/0', value: 'x' }],
    },
  ])('are said to be incomplete, and others are not shown, if $title', async ({ argumentsJson, values }) => {
    const call = await heldCall();
    const decision = { ...call.decision, evidence: [], call: { ...call.decision.call, argumentsJson } };
    const markup = html({ ...call, values, decision });
    expect(markup).toContain('data-part="incomplete"');
    expect(markup).not.toContain('hush');
  });
});
