import { POLICY_SCHEMA, type Policies } from '../store/policies.ts';
import { listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route.ts';

const VERSION: Schema = { type: 'integer', minimum: 0, maximum: 2_000_000_000 };
const POLICY = objectOf({ version: VERSION, body: POLICY_SCHEMA, 'by?': TEXT, 'at?': TIME });

/** The policy of the workspace, and its versions. */
export function policyRoutes(policies: Policies): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/policy',
      name: 'readPolicy',
      summary: 'Reads the current policy',
      scope: 'policy',
      answer: { status: 200, description: 'The policy. Version 0 means that none was set', schema: POLICY },
      handle: ({ caller }) => policies.current(caller.workspace),
    }),
    route<{ version: number; body: unknown }>({
      method: 'put',
      path: '/policy',
      name: 'putPolicy',
      summary: 'Replaces the policy, if `version` is still the current one',
      scope: 'policy',
      body: objectOf({ version: VERSION, body: POLICY_SCHEMA }),
      answer: { status: 200, description: 'The new version', schema: objectOf({ version: VERSION }) },
      handle: async ({ caller: { workspace, principal }, body }) => ({
        version: await policies.put(workspace, body.body, body.version, principal),
      }),
    }),
    route({
      method: 'get',
      path: '/policy/history',
      name: 'listPolicies',
      summary: 'Lists all versions, newest first',
      scope: 'policy',
      answer: { status: 200, description: 'At most 1000 versions', schema: objectOf({ policies: listOf(POLICY) }) },
      handle: async ({ caller }) => ({ policies: await policies.history(caller.workspace) }),
    }),
  ];
}
