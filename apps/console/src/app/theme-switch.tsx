import { type ReactNode, useState } from 'react';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts';

const NAMES: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' };

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <select
      aria-label="Theme"
      className="button-small"
      value={theme}
      onChange={({ target }) => {
        const chosen = target.value as Theme;
        chooseTheme(chosen);
        setTheme(chosen);
      }}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {NAMES[each]}
        </option>
      ))}
    </select>
  );
}
