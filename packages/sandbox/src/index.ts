export {
  REASONS,
  type Reason,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptEnd,
  type ScriptEngine,
  type ScriptTask,
} from './engine.ts';
export { SandboxError, type SandboxErrorCode } from './errors.ts';
export type { ScriptFunction, ScriptFunctions } from './functions.ts';
export type { FailureListener } from './host.ts';
export type { Inquiry } from './inquiry.ts';
export type { JournalCall, Settlement } from './journal.ts';
export { DEFAULT_LIMITS, type ScriptLimits } from './limits.ts';
export { montyEngine } from './monty.ts';
export type { EngineOptions } from './pool.ts';
export { quickjsEngine } from './quickjs.ts';
export { type AnswerSchema, answerSchema, type Checked, type StandardSchema } from './schema.ts';
export { createScripts, type RunOptions, type RunResult, Scripts, type ScriptsOptions, scriptTool } from './scripts.ts';
export { createSubModel, type QueryOptions, type Structured, SubModel, type SubModelOptions } from './sub-model.ts';
export { restoreSuspension, type Suspension, storeSuspension } from './suspension.ts';
