export {
  REASONS,
  type Reason,
  type ScriptAnswer,
  type ScriptCall,
  type ScriptEnd,
  type ScriptEngine,
  type ScriptTask,
} from './engine/engine.ts';
export { DEFAULT_LIMITS, type ScriptLimits } from './engine/limits.ts';
export { montyEngine } from './engine/monty.ts';
export type { EngineOptions } from './engine/pool.ts';
export { quickjsEngine } from './engine/quickjs.ts';
export { SandboxError, type SandboxErrorCode } from './errors.ts';
export type { Inquiry } from './question/question.ts';
export { type AnswerSchema, answerSchema, type Checked, type StandardSchema } from './question/schema.ts';
export {
  createSubModel,
  type QueryOptions,
  type Structured,
  SubModel,
  type SubModelOptions,
} from './question/sub-model.ts';
export type { ScriptFunction, ScriptFunctions } from './script/functions.ts';
export type { FailureListener } from './script/host.ts';
export type { JournalCall, Settlement } from './script/journal.ts';
export {
  createScripts,
  type RunOptions,
  type RunResult,
  Scripts,
  type ScriptsOptions,
  scriptTool,
} from './script/scripts.ts';
export { restoreSuspension, type Suspension, storeSuspension } from './script/suspension.ts';
