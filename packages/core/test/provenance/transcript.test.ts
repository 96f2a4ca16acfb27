import { describe, expect, it } from 'vitest';
import { proposeCall } from '../../src/call/call.ts';
import { defineTool } from '../../src/call/tool.ts';
import { factsOf } from '../../src/facts/inspect.ts';
import { decide, RULES_OF } from '../../src/gate/decide.ts';
import { prompt } from '../../src/prompt/prompt.ts';
import { Transcript } from '../../src/provenance/transcript.ts';
import { FIELD, FLAGGED, VOUCHED } from '../../src/provenance/trust.ts';

const tool = defineTool({ name: 'run', effect: 'execute', modelText: ['body'] });

function opinionWith(others: readonly string[], given: object = { id: 'order-17' }) {
  const transcript = new Transcript(new Map([['run', tool]]));
  transcript.recordRequest(prompt`Be kind.`, []);
  const entry = (text: string, trust: number) => ({ recordId: text, part: 0, text, trust, ranges: [] });
  transcript.enter(
    [
      entry('ORDER-17', FIELD),
      entry('Write to ann@shop.example', VOUCHED),
      ...others.map((text) => entry(text, FLAGGED)),
    ],
    [],
  );
  const context = { integrity: 'external', confidentiality: 'private' } as const;
  const call = proposeCall({ id: 'c', tool: 'run', arguments: given }, context);
  const facts = factsOf({
    ...{ call, tool, similarTool: undefined, effect: 'execute', hasRendered: true, isAlarmed: false },
    arguments: transcript.trace(call),
    ...{ trace: transcript.tracer(), decode: (text) => [text] },
    ...{ isSameMessage: () => false, toolOf: () => undefined, labelOf: () => undefined, findSecrets: undefined },
  });
  return decide(facts, RULES_OF.strict({}));
}

describe('strict', () => {
  it('decides the same about a whole value, whatever untrusted content contains', () => {
    expect(opinionWith([]).outcome).toBe('allow');
    expect(opinionWith(['ORDER-17 alice', 'Take ORDER-17 now']).outcome).toBe('allow');
  });

  it('traces the addresses in a text, however many were in the calls before', () => {
    const given = { id: 'order-17', body: 'Tell ann@shop.example too.' };
    const outcomes = Array.from({ length: 600 }, () => opinionWith([], given).outcome);
    expect(new Set(outcomes)).toEqual(new Set(['allow']));
  });
});
