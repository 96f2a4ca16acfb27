const MAX_FRAMES = 120;
/** Frames in which the list may still move, because it measures rows that it has not shown before. */
const SETTLING = 12;

function isInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

function keepInView(element: HTMLElement, frames: number): void {
  if (!isInView(element)) element.scrollIntoView({ block: 'center' });
  if (frames > 0) requestAnimationFrame(() => keepInView(element, frames - 1));
}

/** Focuses an element as soon as the page shows it. */
export function focusWhenShown(selector: string): void {
  let frames = 0;
  const look = (): void => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) {
      if (frames++ < MAX_FRAMES) requestAnimationFrame(look);
      return;
    }
    found.focus({ preventScroll: true });
    keepInView(found, SETTLING);
  };
  requestAnimationFrame(look);
}
