import type { Connections } from '../serve/connect/connections.ts';
import { SCOPES_OF_PEOPLE } from './approvals.ts';
import { LINE, listOf, NAME, objectOf, type Route, route, TEXT, TIME } from './route/route.ts';

export interface ConnectionRouteOptions {
  readonly connections: Connections;
}

/** The connections of accounts of persons with servers. */
export function connectionRoutes({ connections }: ConnectionRouteOptions): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/servers/{name}/connection',
      name: 'connectServer',
      summary: "Begins to connect the caller's own account with a server whose credentials are `person`",
      scope: SCOPES_OF_PEOPLE,
      parameters: { name: NAME },
      answer: {
        status: 200,
        description: 'The address to open in a browser within ten minutes',
        schema: objectOf({ url: TEXT }),
      },
      handle: ({ caller, parameters: { name = '' }, authorization, session }) =>
        connections.begin(caller, name, authorization === null ? session : undefined),
    }),
    route({
      method: 'delete',
      path: '/servers/{name}/connection',
      name: 'disconnectServer',
      summary: "Removes the tokens of the caller's own account",
      scope: SCOPES_OF_PEOPLE,
      parameters: { name: NAME },
      answer: { status: 204, description: 'The account is not connected any more' },
      handle: ({ caller, parameters: { name = '' } }) => connections.remove(caller, name),
    }),
    route({
      method: 'get',
      path: '/connections',
      name: 'listConnections',
      summary: 'Lists whose accounts are connected with which servers, without their tokens',
      scope: 'admin',
      answer: {
        status: 200,
        description: 'Sorted by server and principal',
        schema: objectOf({ connections: listOf(objectOf({ server: NAME, principal: LINE, changedAt: TIME })) }),
      },
      handle: async ({ caller }) => ({ connections: await connections.list(caller.workspace) }),
    }),
    route<{ principal: string; server?: string }>({
      method: 'post',
      path: '/connections/end',
      name: 'endConnections',
      summary: "Removes the tokens of a person's account, for one server or for all",
      scope: 'admin',
      body: objectOf({ principal: LINE, 'server?': NAME }),
      answer: {
        status: 200,
        description: 'The number of connections that were ended',
        schema: objectOf({ ended: { type: 'integer', minimum: 0 } }),
      },
      handle: async ({ caller, body: { principal, server } }) => ({
        ended: await connections.end(caller, principal, server),
      }),
    }),
  ];
}
