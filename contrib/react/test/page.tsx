import type { HeldCall as HeldCallData } from '@sallyport/core';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { type HeldAnswer, HeldCall, useHeldCalls } from '../src/index.ts';

declare const window: {
  /** Functions of the test, which runs in Node. */
  readonly load: () => Promise<readonly HeldCallData[]>;
  readonly approveDelay?: number;
  readonly settle: (id: string, answer: HeldAnswer) => Promise<unknown>;
};
declare const document: { getElementById(id: string): never };

function Page(): ReactElement {
  const held = useHeldCalls({
    load: () => window.load(),
    settle: (id, answer) => window.settle(id, answer),
    interval: 20,
  });
  return (
    <main>
      <h1>Held calls</h1>
      <p id="state">{held.error?.message ?? (held.isLoading ? 'loading' : `${held.calls.length} waiting`)}</p>
      {held.calls.map((call) => (
        <HeldCall
          key={call.id}
          call={call}
          {...(window.approveDelay !== undefined && { approveDelay: window.approveDelay })}
          isBusy={held.settling.includes(call.id)}
          onApprove={(scope) => held.approve(call.id, scope)}
          onReject={() => held.reject(call.id, 'not known')}
          onOverride={() => held.override(call.id)}
        />
      ))}
    </main>
  );
}

createRoot(document.getElementById('root')).render(<Page />);
