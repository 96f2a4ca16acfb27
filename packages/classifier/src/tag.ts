/** What a finding is, as far as a small head can tell. `obfuscated` is not among them: the view knows, the words do not. */
export const TAGS = [
  'imperative',
  'exfiltration',
  'role-override',
  'system-prompt-shaped',
  'tool-invocation-shaped',
  'concealment',
  'answer-steering',
] as const;

/** `request` is not among them either: somebody asks for something, which by itself is nothing to suspect. */
export type Tag = (typeof TAGS)[number] | 'obfuscated' | 'request';
