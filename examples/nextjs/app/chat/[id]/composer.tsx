import { useState } from 'react';

const SUGGESTIONS = ['Pay the invoice from Paula', 'What is new in my inbox?'];

interface ComposerProps {
  readonly isNew: boolean;
  readonly isDisabled: boolean;
  readonly hint: string | undefined;
  readonly onSend: (text: string) => void;
}

export function Composer({ isNew, isDisabled, hint, onSend }: ComposerProps) {
  const [text, setText] = useState('');
  function send(said: string): void {
    if (said.trim() === '') return;
    onSend(said);
    setText('');
  }
  return (
    <footer>
      {isNew && (
        <div className="suggestions">
          {SUGGESTIONS.map((each) => (
            <button key={each} type="button" onClick={() => send(each)}>
              {each}
            </button>
          ))}
        </div>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(text);
        }}
      >
        <label htmlFor="said">Message</label>
        <input
          id="said"
          autoComplete="off"
          placeholder={hint ?? 'Ask your assistant'}
          value={text}
          disabled={isDisabled}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" disabled={isDisabled}>
          Send
        </button>
      </form>
    </footer>
  );
}
