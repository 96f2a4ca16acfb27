import { restoreMemory, storeMemory } from '@sallyport/core';
import { CONFIDENTIALITIES, ORIGINS, TRUST_CLASSES } from '@sallyport/core/stages';
import { StoreError } from '../store/errors.ts';
import type { Lifecycle, Submissions } from '../store/submissions.ts';
import { DIGEST, LINE, listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

const LABEL = objectOf({ integrity: { enum: ORIGINS }, confidentiality: { enum: CONFIDENTIALITIES } });
const LIFECYCLE: Schema = { enum: ['candidate', 'canonical'] };
/** Looser than OWN_ID, because ids need not have been chosen through the API. */
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

interface SubmissionBody {
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

/** A candidate with the lowest label, because a key holder's own claims about the text cannot be trusted. */
function candidateOf({ id, text, derivedFrom = [] }: SubmissionBody): ReturnType<typeof restoreMemory> {
  return restoreMemory({ version: 1, id, parts: [{ type: 'text', text }], derivation: derivedFrom }, () => undefined);
}

/** Routes for the submissions of agents, and their promotion by people. */
export function submissionRoutes(submissions: Submissions): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/submissions',
      name: 'listSubmissions',
      summary: 'Lists what agents have written, newest first',
      scope: 'approve:any',
      query: { lifecycle: LIFECYCLE },
      answer: { status: 200, description: 'At most 1000 submissions', schema: objectOf({ submissions: listOf(INFO) }) },
      handle: async ({ caller, query }) => ({
        submissions: await submissions.list(caller.workspace, query.lifecycle as Lifecycle | undefined),
      }),
    }),
    route<SubmissionBody>({
      method: 'post',
      path: '/submissions',
      name: 'addSubmission',
      summary: 'Stores what an agent has written, as a candidate with the lowest label',
      scope: 'submit',
      body: WRITTEN,
      answer: {
        status: 201,
        description: 'The candidate was stored',
        schema: objectOf({ id: OWN_ID, digest: DIGEST }),
      },
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
      summary: 'Reads a submission with all its parts, which are untrusted',
      scope: 'approve:any',
      parameters: { id: ANY_ID },
      answer: { status: 200, description: 'The submission', schema: SUBMISSION },
      async handle({ caller, parameters: { id = '' } }) {
        const found = await submissions.find(caller.workspace, id);
        if (found === undefined) throw new StoreError('missing', 'There is no submission of that id.');
        return storeMemory(found);
      },
    }),
    route<{ digest: string }>({
      method: 'post',
      path: '/submissions/{id}/promote',
      name: 'promoteSubmission',
      summary: 'Promotes exactly the submission with this digest',
      scope: 'approve:any',
      parameters: { id: ANY_ID },
      body: objectOf({ digest: DIGEST }),
      answer: { status: 200, description: 'The canonical submission', schema: SUBMISSION },
      handle: async ({ caller, parameters: { id = '' }, body }) =>
        storeMemory(await submissions.promote(caller.workspace, id, body.digest, caller.principal)),
    }),
  ];
}
