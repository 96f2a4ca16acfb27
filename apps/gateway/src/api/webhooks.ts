import type { Notifier } from '../notify/notifier.ts';
import { FORMATS, type WebhookFormat, type Webhooks } from '../notify/webhooks.ts';
import type { AddressRules } from '../upstream/address.ts';
import { LINE, listOf, NAME, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

export interface WebhookRouteOptions {
  readonly webhooks: Webhooks;
  readonly notifier: Pick<Notifier, 'test'>;
  readonly addressesFor: (workspace: string) => Promise<AddressRules>;
}

const FORMAT: Schema = { enum: FORMATS };
const WEBHOOK = objectOf({
  name: NAME,
  format: FORMAT,
  host: { type: 'string', description: 'The host of the address. The rest of the address is not shown.' },
  madeBy: LINE,
  madeAt: TIME,
  'sentAt?': { ...TIME, description: 'When a message was last delivered.' },
  'failure?': { type: 'string', description: 'Why the last message was not delivered. It is sent again.' },
});

/** Where people are told that calls wait for them. */
export function webhookRoutes({ webhooks, notifier, addressesFor }: WebhookRouteOptions): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/webhooks',
      name: 'listWebhooks',
      summary: 'Lists the webhooks that receive a message when a call is held',
      scope: 'admin',
      answer: { status: 200, description: 'Sorted by name', schema: objectOf({ webhooks: listOf(WEBHOOK) }) },
      handle: async ({ caller }) => ({ webhooks: await webhooks.list(caller.workspace) }),
    }),
    route<{ url: string; format: WebhookFormat }>({
      method: 'put',
      path: '/webhooks/{name}',
      name: 'putWebhook',
      summary: 'Adds or replaces a webhook. Messages are signed as Standard Webhooks says',
      scope: 'admin',
      parameters: { name: NAME },
      body: objectOf({ url: { type: 'string', maxLength: 2000 }, format: FORMAT }),
      answer: {
        status: 200,
        description: 'The secret of its signatures. It is returned only once',
        schema: objectOf({ secret: TEXT }),
      },
      async handle({ caller: { workspace, principal }, parameters: { name = '' }, body: { url, format } }) {
        await (await addressesFor(workspace)).check(url);
        return { secret: await webhooks.set(workspace, name, url, format, principal) };
      },
    }),
    route({
      method: 'post',
      path: '/webhooks/{name}/test',
      name: 'testWebhook',
      summary: 'Sends a message that says only that messages arrive',
      scope: 'admin',
      parameters: { name: NAME },
      answer: {
        status: 200,
        description: 'Whether it was delivered',
        schema: objectOf({ isDelivered: { type: 'boolean' }, 'failure?': TEXT }),
      },
      async handle({ caller: { workspace, principal }, parameters: { name = '' } }) {
        const failure = await notifier.test(workspace, name, principal);
        return failure === undefined ? { isDelivered: true } : { isDelivered: false, failure };
      },
    }),
    route({
      method: 'delete',
      path: '/webhooks/{name}',
      name: 'removeWebhook',
      summary: 'Removes a webhook, with the messages that wait for it',
      scope: 'admin',
      parameters: { name: NAME },
      answer: { status: 204, description: 'The webhook was removed' },
      handle: ({ caller: { workspace, principal }, parameters: { name = '' } }) =>
        webhooks.remove(workspace, name, principal),
    }),
  ];
}
