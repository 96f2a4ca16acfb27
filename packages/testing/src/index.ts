export type { Attack, AttackGoal, AttackPlace, AttackWants } from './attack/attack.ts';
export { ATTACKS, attacksOn } from './attack/attacks.ts';
export { plant } from './attack/plant.ts';
export { type CheckedCall, type EventRecorder, recordEvents } from './events.ts';
export {
  type Expected,
  expectAllowed,
  expectDenied,
  expectFramed,
  expectHeld,
  expectNoEffect,
  expectStopped,
  type Ran,
  type Subject,
} from './expect.ts';
export { type ScriptedAnswer, type ScriptedJudge, scriptedJudge } from './judge.ts';
export { type ReceivedRequest, type Script, ScriptedModel, type Step } from './model.ts';
export type { WireFormat } from './wire/formats.ts';
export type { Json, ProvidedTool, ShownResult } from './wire/wire.ts';
