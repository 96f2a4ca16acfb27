import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface ArrowProps {
  /** The value that is pointed at. */
  readonly active: string;
  /** Set if the words come before the call. Needed while they are not in the page. */
  readonly isAbove: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const EDGE = 8;

/** The end of the arrow: the words, or the edge of the window if they are outside it. */
function targetOf(active: string, from: Point, isAbove: boolean): Point {
  const words = [...document.querySelectorAll('[data-place]')].find((each) =>
    each.getAttribute('data-place')?.split('\n').includes(active),
  );
  const rect = words?.getClientRects()[0];
  if (rect === undefined) return { x: from.x - 60, y: isAbove ? EDGE : innerHeight - EDGE };
  const y = isAbove ? rect.bottom - 2 : rect.top + 2;
  return { x: rect.left + 6, y: Math.min(innerHeight - EDGE, Math.max(EDGE, y)) };
}

/** A curve that leaves to the left and arrives from below or above, so that it covers few of the words around. */
function curve(from: Point, to: Point): string {
  const distance = from.y - to.y;
  const bend = Math.max(6, Math.min(from.x, to.x) - Math.min(90, 24 + Math.abs(distance) / 6));
  return `M ${from.x} ${from.y} C ${bend} ${from.y}, ${to.x} ${to.y + distance / 2}, ${to.x} ${to.y}`;
}

/** The arrow from a value to the words that it comes from. It follows the page while that scrolls. */
export function Arrow({ active, isAbove }: ArrowProps): ReactNode {
  const path = useRef<SVGPathElement>(null);
  useLayoutEffect(() => {
    let frame = 0;
    const draw = (): void => {
      frame = requestAnimationFrame(draw);
      const value = document.querySelector(`[data-value="${CSS.escape(active)}"]`);
      if (value === null) {
        path.current?.removeAttribute('d');
        return;
      }
      const { left, top, height } = value.getBoundingClientRect();
      const from = { x: left - 2, y: top + height / 2 };
      path.current?.setAttribute('d', curve(from, targetOf(active, from, isAbove)));
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [active, isAbove]);
  return (
    <svg className="arrow" aria-hidden="true">
      <defs>
        <marker id="arrow-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M 0 0 L 8 4 L 0 8 z" />
        </marker>
      </defs>
      <path ref={path} className="arrow-line" markerEnd="url(#arrow-head)" />
    </svg>
  );
}
