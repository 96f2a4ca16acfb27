import { Worker } from 'node:worker_threads';
import type { ClassifierV1 } from '@sallyport/core';
import type { ViewSource } from '../../store/policy/recorded.ts';
import { errorOf } from '../thread/messages.ts';
import { answerClassifier } from './answering.ts';
import type { ViewEntry, ViewOrder, ViewReply, ViewSettings } from './view-messages.ts';

// The build: a thread cannot load the sources that tests run.
const ENTRY = new URL('../../../dist/serve/replay/view-worker.js', import.meta.url);
const MAX_SECONDS = 60;

/**
 * Plays a recorded conversation again in a thread of its own, and passes on its entries until `receive` returns false. Resolves
 * with whether something is missing, because there was too much to read or it took too long.
 */
export async function viewConversation(
  source: ViewSource,
  receive: (entry: ViewEntry) => Promise<boolean>,
  classifier?: ClassifierV1,
): Promise<boolean> {
  const { active, proposed, servers, principal, conversation } = source;
  const workerData: ViewSettings = {
    active,
    proposed,
    servers,
    principal,
    conversation,
    classifier: classifier?.id,
    until: Date.now() + MAX_SECONDS * 1000,
  };
  const worker = new Worker(ENTRY, { workerData, name: 'sallyport-view', argv: [], execArgv: [], env: {} });
  const tell = (order: ViewOrder): void => worker.postMessage(order);
  worker.unref();
  try {
    return await new Promise<boolean>((resolve, reject) => {
      let unread = 0;
      const pass = async (entries: readonly ViewEntry[]): Promise<void> => {
        for (const entry of entries) if (!(await receive(entry))) return resolve(false);
        tell({ type: 'more' });
      };
      worker.on('error', reject);
      worker.on('message', (reply: ViewReply) => {
        if (reply.type === 'portion') pass(reply.entries).catch(reject);
        else if (reply.type === 'viewed') resolve(reply.isCut || unread > 0);
        else if (reply.type === 'failed') reject(errorOf(reply.error));
        else void answerClassifier(classifier, reply).then(tell);
      });
      source
        .load((entries) => tell({ type: 'entries', entries }))
        .then((count) => {
          unread = count;
          tell({ type: 'view' });
        }, reject);
    });
  } finally {
    await worker.terminate();
  }
}
