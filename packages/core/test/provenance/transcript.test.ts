import { describe, expect, it } from 'vitest';
import { proposeCall } from '../../src/call/call.ts';
import { defineTool } from '../../src/call/tool.ts';
import { STRICT } from '../../src/gate/policy.ts';
import { prompt } from '../../src/prompt/prompt.ts';
import { Transcript } from '../../src/provenance/transcript.ts';
import { FIELD, FLAGGED } from '../../src/provenance/trust.ts';

const tool = defineTool({ name: 'run', effect: 'execute' });

function opinionWith(others: readonly string[]) {
  const transcript = new Transcript(new Map([['run', tool]]));
  transcript.recordRequest(prompt`Be kind.`, []);
  const entry = (text: string, trust: number) => ({ recordId: text, part: 0, text, trust, ranges: [] });
  transcript.enter([entry('2024-05-15', FIELD), ...others.map((text) => entry(text, FLAGGED))], []);
  const context = { integrity: 'external', confidentiality: 'private' } as const;
  const call = proposeCall({ id: 'c', tool: 'run', arguments: [{ 'May 15, 2024': false }] }, context);
  const traced = transcript.trace(call);
  return STRICT.unvouched?.({
    call,
    tool,
    effect: 'execute',
    arguments: traced,
    context,
    hasRendered: true,
    trace: transcript.tracer(),
    instruction: undefined,
    asked: 'unheard',
    sourceOf: transcript.sourceOf(traced),
    isNamedPerson: () => false,
    isSameMessage: () => false,
    labelOf: () => undefined,
  });
}

describe('strict', () => {
  it('decides the same about a whole value, whatever untrusted content contains', () => {
    expect(opinionWith([])).toBeUndefined();
    expect(opinionWith(['May 15, 2024alice'])).toBeUndefined();
  });
});
