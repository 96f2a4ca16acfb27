import { EXIT } from '../peer.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves at the first signal to stop. A second signal ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS)
      process.once(signal, () => {
        resolve();
        for (const again of SIGNALS) process.once(again, () => process.exit(EXIT.refused));
      });
  });
}
