import { describe, expect, it } from 'vitest';
import { createBoundary, defineTool, type ToolDeclaration } from '../../src/index.ts';
import { wireTools } from '../../src/wiring/wire-tools.ts';

const SEND = { name: 'send_mail', parameters: { type: 'object', properties: { to: {}, body: {} } } } as const;
const DECLARED: Readonly<Record<string, ToolDeclaration>> = { send_mail: { effect: 'send', modelText: ['body'] } };

const open = (...tools: Parameters<typeof defineTool>[0][]) =>
  createBoundary({ tools: tools.map((each) => defineTool(each)) }).conversation('c');

describe('tools that are wired to a conversation', () => {
  it('are declared to it alone', () => {
    const boundary = createBoundary();
    const [one, other] = [boundary.conversation('1'), boundary.conversation('2')];
    wireTools(one, [SEND], DECLARED);
    expect([one, other].map(({ tools }) => tools.get('send_mail')?.effect)).toEqual(['send', undefined]);
    expect(one.tools.get('send_mail')?.parameters?.names).toEqual(['body', 'to']);
  });

  it('may be those of the boundary', () => {
    const conversation = open({ name: 'send_mail', effect: 'send' });
    wireTools(conversation, [SEND], conversation.tools);
    expect(conversation.tools.get('send_mail')?.effect).toBe('send');
    expect(Array.from(conversation.tools.values?.() ?? [], ({ name }) => name)).toEqual(['send_mail']);
  });

  it('may be wired again in the same way, for the next request', () => {
    const conversation = open();
    wireTools(conversation, [SEND], DECLARED);
    wireTools(conversation, [SEND], DECLARED);
    expect(conversation.tools.get('send_mail')?.modelText).toEqual(new Set(['body']));
  });

  it.each([
    {
      title: 'a tool that is declared nowhere, with the effect that its name suggests',
      offered: [SEND, { name: 'delete_mail' }],
      declared: DECLARED,
      message:
        "The tool delete_mail is not declared. Say what its calls do: declare: { delete_mail: { effect: 'destroy' } }.",
    },
    {
      title: 'a tool that the boundary does not declare',
      offered: [SEND],
      declared: open().tools,
      message: "The tool send_mail is not declared. Say what its calls do: declare: { send_mail: { effect: 'send' } }.",
    },
    {
      title: 'a declaration without a tool, with the tool that was meant',
      offered: [SEND],
      declared: { ...DECLARED, send_mial: { effect: 'send' } } as const,
      message: '`declare` names send_mial, which is not among the tools. Did you mean send_mail?',
    },
    {
      title: 'a declaration without a tool that has a similar name',
      offered: [SEND],
      declared: { ...DECLARED, reboot: { effect: 'execute' } } as const,
      message: '`declare` names reboot, which is not among the tools.',
    },
    {
      title: 'an argument that the tool does not have',
      offered: [SEND],
      declared: { send_mail: { effect: 'send', modelText: ['bodi'] } } as const,
      message: 'Tool send_mail: `modelText` names "bodi", which its schema does not declare. Did you mean body?',
    },
    {
      title: 'a declaration without an effect, from code without types',
      offered: [SEND],
      declared: { send_mail: {} as ToolDeclaration },
      message: "The declaration of send_mail has no `effect`. Say what its calls do, such as effect: 'send'.",
    },
  ])('are refused: $title', ({ offered, declared, message }) => {
    expect(() => wireTools(open(), offered, declared)).toThrow(message);
  });

  it('are refused if the boundary declares one in another way', () => {
    const conversation = open({ name: 'send_mail', effect: 'read' });
    expect(() => wireTools(conversation, [SEND], DECLARED)).toThrow(
      'The tool send_mail is declared twice, in different ways. Declare it to the boundary or to protect(), not to both.',
    );
  });

  it('decide about calls like those of the boundary', async () => {
    const conversation = open();
    wireTools(conversation, [SEND], DECLARED);
    await conversation.render([{ type: 'user', content: 'Write a mail to ann@home.example.' }]);
    const call = { id: '1', tool: 'send_mail', arguments: { to: 'ann@home.example', body: 'Hello.' } };
    expect((await conversation.check(call)).outcome).toBe('allow');
  });

  it('must be made by defineTool()', () => {
    expect(() => open().declareTools([{ name: 'send_mail' } as never])).toThrow('tools that defineTool() made');
  });

  it.each([
    { title: 'a boundary', conversation: createBoundary(), declare: {}, message: 'protect() needs a conversation' },
    {
      title: 'no declarations',
      conversation: undefined,
      declare: undefined,
      message: '`declare` must say what each tool does',
    },
    { title: 'a list', conversation: undefined, declare: [], message: '`declare` must say what each tool does' },
  ])('is refused with $title', ({ conversation, declare, message }) => {
    const talk = (conversation ?? createBoundary().conversation('c')) as never;
    expect(() => wireTools(talk, [], declare as never)).toThrow(message);
  });
});
