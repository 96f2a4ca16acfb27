export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const NAME = 'sallyport-theme';

/** The theme that this browser has chosen. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(NAME);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Shows a theme, and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(NAME, theme);
  showTheme(theme);
}

export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
