import { callInvariants } from './calls.ts';
import { decideInvariants } from './decide.ts';
import { encodingInvariants } from './encoding.ts';
import { frameInvariants } from './frames.ts';
import { gateInvariants } from './gate.ts';
import type { Invariant } from './invariant.ts';
import { judgeInvariants } from './judge.ts';
import { storageInvariants } from './storage.ts';

export const invariants: readonly Invariant[] = [
  ...encodingInvariants,
  ...frameInvariants,
  ...storageInvariants,
  ...callInvariants,
  ...gateInvariants,
  ...decideInvariants,
  ...judgeInvariants,
];
