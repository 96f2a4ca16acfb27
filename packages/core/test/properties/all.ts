import { callInvariants } from './calls.ts';
import { encodingInvariants } from './encoding.ts';
import { fieldInvariants } from './fields.ts';
import { frameInvariants } from './frames.ts';
import { gateInvariants } from './gate.ts';
import type { Invariant } from './invariant.ts';
import { storageInvariants } from './storage.ts';

export const invariants: readonly Invariant[] = [
  ...encodingInvariants,
  ...frameInvariants,
  ...storageInvariants,
  ...callInvariants,
  ...fieldInvariants,
  ...gateInvariants,
];
