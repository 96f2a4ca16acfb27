import { describe, expect, it } from 'vitest';
import { proposeCall } from '../../src/call/call.ts';
import { defineTool } from '../../src/call/tool.ts';
import { STRICT } from '../../src/gate/policy.ts';
import { prompt } from '../../src/prompt/prompt.ts';
import { Transcript } from '../../src/provenance/transcript.ts';
import { FIELD, FLAGGED } from '../../src/provenance/trust.ts';

const tool = defineTool({ name: 'run', effect: 'execute' });

function opinionWith(others: readonly string[]) {
  const witness = new Transcript(new Map([['run', tool]]));
  witness.recordRequest(prompt`Be kind.`, []);
  const entry = (text: string, trust: number) => ({ recordId: text, part: 0, text, trust, ranges: [] });
  witness.enter([entry('2024-05-15', FIELD), ...others.map((text) => entry(text, FLAGGED))], []);
  const context = { integrity: 'external', confidentiality: 'private' } as const;
  const call = proposeCall({ id: 'c', tool: 'run', arguments: [{ 'May 15, 2024': false }] }, context);
  return STRICT.unvouched?.({
    call,
    tool,
    effect: 'execute',
    arguments: witness.trace(call),
    context,
    hasRendered: true,
    trace: witness.tracer(),
    instruction: undefined,
    labelOf: () => undefined,
  });
}

describe('strict', () => {
  it('says the same of a value in one piece, whatever others made of its parts', () => {
    expect(opinionWith([])).toBeUndefined();
    expect(opinionWith(['May 15, 2024alice'])).toBeUndefined();
  });
});
