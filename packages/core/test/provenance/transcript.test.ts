import { describe, expect, it } from 'vitest';
import { proposeCall } from '../../src/call/call.ts';
import { defineTool } from '../../src/call/tool.ts';
import { strictRules } from '../../src/gate/policy.ts';
import { prompt } from '../../src/prompt/prompt.ts';
import { Transcript } from '../../src/provenance/transcript.ts';
import { FIELD, FLAGGED } from '../../src/provenance/trust.ts';

const tool = defineTool({ name: 'run', effect: 'execute' });

function opinionWith(others: readonly string[]) {
  const transcript = new Transcript(new Map([['run', tool]]));
  transcript.recordRequest(prompt`Be kind.`, []);
  const entry = (text: string, trust: number) => ({ recordId: text, part: 0, text, trust, ranges: [] });
  transcript.enter([entry('ORDER-17', FIELD), ...others.map((text) => entry(text, FLAGGED))], []);
  const context = { integrity: 'external', confidentiality: 'private' } as const;
  const call = proposeCall({ id: 'c', tool: 'run', arguments: { id: 'order-17' } }, context);
  const traced = transcript.trace(call);
  return strictRules({}).decided?.({
    call,
    tool,
    effect: 'execute',
    arguments: traced,
    context,
    hasRendered: true,
    trace: transcript.tracer(),
    decode: (text: string) => [text],
    asked: 'unheard',
    isNamedPerson: () => false,
    isReached: () => false,
    isNamed: () => false,
    isSameMessage: () => false,
    isRequested: false,
    isRequestedBeside: () => false,
    nameOf: () => undefined,
    labelOf: () => undefined,
  });
}

describe('strict', () => {
  it('decides the same about a whole value, whatever untrusted content contains', () => {
    expect(opinionWith([])?.outcome).toBe('allow');
    expect(opinionWith(['ORDER-17 alice', 'Take ORDER-17 now'])?.outcome).toBe('allow');
  });
});
