import { HeldCall } from '@sallyport/react';
import type { useChatCalls } from './use-chat-calls.ts';

interface HeldCallsProps extends ReturnType<typeof useChatCalls> {
  readonly isRunning: boolean;
}

// #region held
export function HeldCalls({ held, answer, isRunning }: HeldCallsProps) {
  return held.calls.map((call) => (
    <HeldCall
      key={call.id}
      className="held"
      headingLevel={2}
      call={call}
      isBusy={isRunning || held.settling.includes(call.id)}
      onApprove={(scope) => answer(call, () => held.approve(call.id, scope))}
      onReject={() => answer(call, () => held.reject(call.id), false)}
      onOverride={() => answer(call, () => held.override(call.id))}
    />
  ));
}
// #endregion held
