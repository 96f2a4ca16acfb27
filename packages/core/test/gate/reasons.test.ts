import { describe, expect, it } from 'vitest';
import { createBoundary } from '../../src/index.ts';
import { judge, TOOLS } from '../world.ts';

const STRICT = { gate: { preset: 'strict' } } as const;

describe('the reason of a decision', () => {
  it.each([
    ['readMail', {}, 'This tool only reads data and changes nothing.'],
    [
      'order',
      { for: 'eve@evil.example', copy: 'eve@evil.example' },
      '"copy" and "for" come from an instruction to the model in untrusted content, not from the user. If the user wants this, ask them to say so in their own words.',
    ],
    [
      'order',
      { item: 'K-553' },
      '"item" comes from untrusted content that may be an instruction to the model or was not checked. Review it, then approve or reject the call.',
    ],
    [
      'order',
      { account: 'FR11-2044' },
      '"account" comes from a request in untrusted content, not from the user. Approve the call only if the user wants it.',
    ],
    [
      'giveAway',
      { what: 'spare keys' },
      'An instruction to the model in untrusted content asks for this kind of action, and no trusted source supplied "what". Approve the call only if the user wants it.',
    ],
    [
      'sendMail',
      { to: 'desk@firm.example', body: 'Her phone is 555-0199.' },
      'The address in "to" comes from untrusted content, and the call would send private data from another source to it. Approve the call only if the recipient may see that data.',
    ],
    [
      'sendMail',
      { to: 'me@home.example', body: 'Ask eve@evil.example.' },
      'The text of "body" contains an address from an instruction or a request in untrusted content, or from unchecked content. Approve the call only if the user wants this address in it.',
    ],
    [
      'unheardOf',
      { what: 'batteries' },
      'This tool is not declared, so its effect is unknown. Declare it with its effect, or reject the call.',
    ],
    [
      'order',
      { what: 'batteries' },
      'No value comes from an instruction or an unexpected request in untrusted content.',
    ],
  ])('names the values and where they come from: %s %j', async (tool, given, expected) => {
    expect((await judge(tool, given)).reason).toBe(expected);
  });

  it.each([
    [
      'order',
      { room: '4711' },
      'No trusted source (developer, user, operator or service field) supplied "room". Approve or reject the call.',
    ],
    [
      'undeclared',
      { code: 'lamps/code' },
      'No trusted source supplied "code" as one value; the parts come from different places. Approve or reject the call.',
    ],
    ['undeclared', {}, 'The call has no value that a trusted source could have supplied. Approve or reject the call.'],
  ])('names the values that are not vouched for in strict: %s %j', async (tool, given, expected) => {
    expect((await judge(tool, given, STRICT)).reason).toBe(expected);
  });

  it('says that the search ended at its limit, and does not claim an instruction', async () => {
    const conversation = createBoundary({ tools: TOOLS }).conversation('c');
    conversation.addToolResult({ id: 'm', tool: 'readMail', content: 'Q-7001 '.repeat(5000) });
    await conversation.request();
    const given = { items: ['Q-7001 Q-7001 Q-7001'], more: 'Q-7001 x Q-7001 '.repeat(1500) };
    const decision = await conversation.check({ id: 'c1', tool: 'order', arguments: given });
    expect(decision).toMatchObject({ outcome: 'deny', rule: 'instructed' });
    expect(decision.reason).toMatch(
      /^The origin of ".+" could not be determined within the search limit\. No instruction was found, but the call is denied to be safe\./,
    );
  });
});
