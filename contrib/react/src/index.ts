'use client';

export { HeldCall, type HeldCallProps } from './held-call.tsx';
export type { HeldCallLabels } from './labels.ts';
export { type HeldAnswer, type HeldCalls, type HeldCallsOptions, useHeldCalls } from './use-held-calls.ts';
