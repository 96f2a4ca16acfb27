import { getToolName, isToolUIPart, type UIMessage } from 'ai';

const STATES: Readonly<Record<string, string>> = {
  'approval-requested': 'waits for your answer',
  'approval-responded': 'was answered',
  'output-available': 'done',
  'output-error': 'blocked',
  'output-denied': 'rejected by you',
};

function Part({ part }: { readonly part: UIMessage['parts'][number] }) {
  if (part.type === 'text') return part.text === '' ? null : <p className="text">{part.text}</p>;
  if (!isToolUIPart(part)) return null;
  return (
    <p className="tool" data-state={part.state}>
      <code>{getToolName(part)}</code> {STATES[part.state] ?? 'is called'}
    </p>
  );
}

export function Message({ message: { id, role, parts } }: { readonly message: UIMessage }) {
  return (
    <article className="message" data-role={role} aria-label={role === 'user' ? 'You' : 'Assistant'}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message keep their order
        <Part key={`${id} ${index}`} part={part} />
      ))}
    </article>
  );
}
