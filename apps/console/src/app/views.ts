import { mayUse } from '../api/identity.ts';
import type { Me, Scope } from '../api/types.ts';

export interface View {
  readonly path:
    | '/approvals'
    | '/conversations'
    | '/corrections'
    | '/health'
    | '/audit'
    | '/policy'
    | '/servers'
    | '/people'
    | '/keys'
    | '/webhooks';
  readonly name: string;
  /** One of these is needed. Empty: none. */
  readonly scopes: readonly Scope[];
  /** Set for a view of the gateway that `sallyport ui` lacks. */
  readonly isOfGateway?: true;
}

/** The views in the order of the navigation. */
export const VIEWS: readonly View[] = [
  { path: '/approvals', name: 'Approvals', scopes: ['approve:own', 'approve:any'] },
  { path: '/conversations', name: 'Conversations', scopes: [] },
  { path: '/corrections', name: 'Corrections', scopes: ['approve:own', 'approve:any', 'policy'], isOfGateway: true },
  { path: '/health', name: 'Health', scopes: ['audit'] },
  { path: '/audit', name: 'Audit', scopes: ['audit'] },
  { path: '/policy', name: 'Policy', scopes: ['policy'] },
  { path: '/servers', name: 'Servers', scopes: ['pins', 'admin'] },
  { path: '/people', name: 'People', scopes: ['admin'] },
  { path: '/keys', name: 'Keys', scopes: ['admin'] },
  { path: '/webhooks', name: 'Webhooks', scopes: ['admin'] },
];

/** Checks that a person sees a view. The gateway checks every request in any case. */
export function maySee(me: Me, { scopes, isOfGateway }: View): boolean {
  return mayUse(me, scopes) && !(isOfGateway === true && me.isLocal === true);
}
