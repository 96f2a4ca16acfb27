import { OUTCOMES } from '@sallyport/core/stages';
import type { Database } from '../../store/database.ts';
import type { Policies } from '../../store/policies.ts';
import { exportCorrections, listCorrections } from '../../store/policy/correction-list.ts';
import { VERDICTS } from '../../store/policy/findings.ts';
import type { Scope } from '../../store/secrets/keys.ts';
import { principalFor, SCOPES_OF_PEOPLE } from '../approvals.ts';
import { LineStream } from '../route/lines.ts';
import { DIGEST, listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from '../route/route.ts';
import { keepsText } from './findings.ts';

export interface CorrectionRouteOptions {
  readonly database: Database;
  readonly policies: Policies;
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  readonly onError: (cause: unknown) => void;
}

const SAID = {
  type: { enum: ['span', 'passage', 'decision'] },
  digest: DIGEST,
  server: TEXT,
  'tool?': TEXT,
  'tag?': { ...TEXT, description: 'Of a passage: missed.' },
  'likelihood?': { enum: ['none', 'low', 'medium', 'high'] },
  'outcome?': { enum: OUTCOMES },
  'rule?': TEXT,
  'cell?': TEXT,
  'wasMade?': { type: 'boolean' },
  verdict: { enum: VERDICTS },
  at: TIME,
};
const LINE: Schema = objectOf({
  id: TEXT,
  ...SAID,
  'text?': { ...TEXT, description: 'The beginning of the words. Untrusted. Only if the policy keeps content.' },
  'source?': { const: 'corrections' },
  'split?': { const: 'test' },
  'label?': { enum: ['injection', 'benign'] },
  'spans?': listOf({ type: 'object' }),
  'lang?': TEXT,
  'channel?': TEXT,
});
/** They have no content, and thresholds are set because of them. */
const LIST_SCOPES: readonly Scope[] = [...SCOPES_OF_PEOPLE, 'policy'];

/** Routes for verdicts on marks and decisions. */
export function correctionRoutes(options: CorrectionRouteOptions): readonly Route[] {
  const { database, policies, track, onError } = options;
  return [
    route({
      method: 'get',
      path: '/corrections',
      name: 'listCorrections',
      summary:
        'Lists what was said of spans, passages and decisions, the last first: by the caller; with the scope approve:any or policy, by everyone. It has no content',
      scope: LIST_SCOPES,
      answer: {
        status: 200,
        description: 'At most 1000 corrections',
        schema: objectOf({ corrections: listOf(objectOf({ ...SAID, by: TEXT })) }),
      },
      async handle({ caller }) {
        const by = caller.scopes.has('policy') ? undefined : principalFor(caller);
        return { corrections: await listCorrections(database, caller.workspace, by) };
      },
    }),
    route({
      method: 'get',
      path: '/corrections/export',
      name: 'exportCorrections',
      summary:
        'Exports all corrections as test data, the first first. Texts are in it only if the policy says so in `corrections`. Each export is in the audit',
      // The same scope says whether texts are kept. Auditors see no content.
      scope: 'policy',
      answer: { status: 200, description: 'One correction per line', type: 'application/jsonl', schema: LINE },
      async handle({ caller: { workspace, principal: by } }) {
        const lines = new LineStream();
        const said = { by, keepsText: await keepsText(policies, workspace) };
        const written = exportCorrections(database, workspace, said, (line) => lines.write(line))
          .then(() => lines.end())
          .catch((cause: unknown) => {
            onError(cause);
            lines.fail();
          });
        void track(written);
        return new Response(lines.body, {
          headers: {
            'content-type': 'application/jsonl',
            'content-disposition': 'attachment; filename="corrections.jsonl"',
          },
        });
      },
    }),
  ];
}
