import { fieldsOf, isFields } from '@sallyport/core/adapter';

/**
 * One user's words must not vouch for what an agent does for another user. The check reads the config of a run, which a model or a
 * tool that is called outside of a run does not get.
 */
export function createThreadCheck(conversation: string): (config: unknown) => void {
  let first: unknown;
  return (config) => {
    const { configurable } = fieldsOf(config);
    if (!isFields(configurable)) return;
    const { thread_id: thread } = configurable;
    first ??= thread;
    if (first !== thread)
      throw new Error(
        `The conversation ${conversation} must be used for one thread; received another thread. Create one conversation, and one agent, for each thread.`,
      );
  };
}
