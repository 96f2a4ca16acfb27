import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate } from '@tanstack/react-router';
import { useMe } from '../api/identity.ts';
import { EmptyNote } from '../parts/note.tsx';
import { filterIn } from '../views/approvals/filter.ts';
import { auditFilterIn } from '../views/audit/filter.ts';
import { raisedIn } from '../views/corrections/raised.ts';
import { Shell } from './shell.tsx';
import { maySee, VIEWS } from './views.ts';

function FirstView() {
  const me = useMe();
  const first = VIEWS.find((view) => maySee(me, view));
  return <Navigate to={first?.path ?? '/conversations'} replace />;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <EmptyNote title="This page does not exist">Choose a view in the navigation.</EmptyNote>,
});

const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: FirstView }),
  createRoute({
    getParentRoute: () => root,
    path: '/approvals',
    validateSearch: filterIn,
    component: lazyRouteComponent(() => import('../views/approvals/approvals.tsx'), 'Approvals'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/approvals/answered',
    component: lazyRouteComponent(() => import('../views/approvals/records/answered.tsx'), 'Answered'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/approvals/lasting',
    component: lazyRouteComponent(() => import('../views/approvals/records/lasting.tsx'), 'Lasting'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/conversations',
    component: lazyRouteComponent(() => import('../views/conversations/conversations.tsx'), 'Conversations'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/conversations/$id',
    component: lazyRouteComponent(() => import('../views/conversations/conversation.tsx'), 'Conversation'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/corrections',
    validateSearch: raisedIn,
    component: lazyRouteComponent(() => import('../views/corrections/corrections.tsx'), 'Corrections'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/health',
    component: lazyRouteComponent(() => import('../views/health/health.tsx'), 'Health'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: auditFilterIn,
    component: lazyRouteComponent(() => import('../views/audit/audit.tsx'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/policy',
    component: lazyRouteComponent(() => import('../views/policy/policy.tsx'), 'Policy'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/servers',
    component: lazyRouteComponent(() => import('../views/servers/servers.tsx'), 'Servers'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/people',
    component: lazyRouteComponent(() => import('../views/people/people.tsx'), 'People'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('../views/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => import('../views/keys/keys.tsx'), 'Keys'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
