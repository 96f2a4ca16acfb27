const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A time of the API for people. */
export function formatTime(time: string | number): string {
  return DATE.format(new Date(time));
}

/** The time that is left, as 4:05. */
export function formatLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes}:${String(rest).padStart(2, '0')}`;
}
