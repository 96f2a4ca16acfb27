import { restoreMemory, storeMemory } from '@sallyport/core';
import { CONFIDENTIALITIES, ORIGINS, TRUST_CLASSES } from '@sallyport/core/stages';
import { StoreError } from '../store/errors.ts';
import type { Lifecycle, Submissions } from '../store/submissions.ts';
import { DIGEST, LINE, listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route.ts';

const LABEL = objectOf({ integrity: { enum: ORIGINS }, confidentiality: { enum: CONFIDENTIALITIES } });
const LIFECYCLE: Schema = { enum: ['candidate', 'canonical'] };
/** Others than the API may have chosen it. */
const ANY_ID: Schema = { type: 'string', minLength: 1, maxLength: 512 };
const OWN_ID: Schema = { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,200}$' };

const INFO = objectOf({
  id: ANY_ID,
  principal: TEXT,
  conversation: TEXT,
  label: LABEL,
  lifecycle: LIFECYCLE,
  digest: DIGEST,
  madeAt: TIME,
  'promotedBy?': TEXT,
});

const SUBMISSION = objectOf({
  version: { const: 1 },
  id: ANY_ID,
  lifecycle: LIFECYCLE,
  parts: listOf({ type: 'object', required: ['type'], properties: { type: TEXT } }),
  derivation: listOf(TEXT),
  floor: LABEL,
  standing: { enum: TRUST_CLASSES },
  'promotion?': objectOf({ by: TEXT, at: { type: 'number' }, 'reason?': TEXT }),
  digest: DIGEST,
});

interface Written {
  readonly id: string;
  readonly conversation: string;
  readonly text: string;
  readonly derivedFrom?: readonly string[];
}

const WRITTEN = objectOf({
  id: OWN_ID,
  conversation: LINE,
  text: { type: 'string', minLength: 1, maxLength: 200_000 },
  'derivedFrom?': { type: 'array', maxItems: 1000, items: ANY_ID },
});

/** What is written by whoever has a key: what he says of himself does not count, so it has the lowest label. */
function candidateOf({ id, text, derivedFrom = [] }: Written): ReturnType<typeof restoreMemory> {
  return restoreMemory({ version: 1, id, parts: [{ type: 'text', text }], derivation: derivedFrom }, () => undefined);
}

/** What agents have written, and what persons stand for. */
export function submissionRoutes(submissions: Submissions): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/submissions',
      name: 'listSubmissions',
      summary: 'What agents have written, the latest first',
      scope: 'approve',
      query: { lifecycle: LIFECYCLE },
      answer: { status: 200, description: 'At most a thousand', schema: objectOf({ submissions: listOf(INFO) }) },
      handle: async ({ caller, query }) => ({
        submissions: await submissions.list(caller.workspace, query.lifecycle as Lifecycle | undefined),
      }),
    }),
    route<Written>({
      method: 'post',
      path: '/submissions',
      name: 'addSubmission',
      summary: 'Keeps what an agent has written, as a candidate of the lowest label',
      scope: 'submit',
      body: WRITTEN,
      answer: { status: 201, description: 'It waits for a person', schema: objectOf({ id: OWN_ID, digest: DIGEST }) },
      async handle({ caller: { workspace, principal }, body }) {
        const candidate = candidateOf(body);
        await submissions.add({ workspace, principal, conversation: body.conversation }, candidate);
        return { id: candidate.id, digest: candidate.digest };
      },
    }),
    route({
      method: 'get',
      path: '/submissions/{id}',
      name: 'readSubmission',
      summary: 'A submission with all its parts, which are words of others',
      scope: 'approve',
      parameters: { id: ANY_ID },
      answer: { status: 200, description: 'As it is kept', schema: SUBMISSION },
      async handle({ caller, parameters: { id = '' } }) {
        const found = await submissions.find(caller.workspace, id);
        if (found === undefined) throw new StoreError('missing', 'There is no such submission.');
        return storeMemory(found);
      },
    }),
    route<{ digest: string }>({
      method: 'post',
      path: '/submissions/{id}/promote',
      name: 'promoteSubmission',
      summary: 'Stands for exactly what was shown under a digest',
      scope: 'approve',
      parameters: { id: ANY_ID },
      body: objectOf({ digest: DIGEST }),
      answer: { status: 200, description: 'It is canonical now', schema: SUBMISSION },
      handle: async ({ caller, parameters: { id = '' }, body }) =>
        storeMemory(await submissions.promote(caller.workspace, id, body.digest, caller.principal)),
    }),
  ];
}
