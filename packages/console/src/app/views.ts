import type { Scope } from '../api/types.ts';

export interface View {
  readonly path: '/approvals' | '/conversations' | '/corrections' | '/servers' | '/policy' | '/keys';
  readonly name: string;
  /** One of these is needed. Empty: none. */
  readonly scopes: readonly Scope[];
}

/** The views in the order of the navigation. */
export const VIEWS: readonly View[] = [
  { path: '/approvals', name: 'Approvals', scopes: ['approve:own', 'approve:any'] },
  { path: '/conversations', name: 'Conversations', scopes: [] },
  { path: '/corrections', name: 'Corrections', scopes: ['approve:own', 'approve:any', 'policy'] },
  { path: '/policy', name: 'Policy', scopes: ['policy'] },
  { path: '/servers', name: 'Servers', scopes: ['pins', 'admin'] },
  { path: '/keys', name: 'Keys', scopes: ['admin'] },
];
