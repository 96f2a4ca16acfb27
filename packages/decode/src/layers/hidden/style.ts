const WHITE = new Set(['white', '#fff', '#ffffff', '#fffffe', '#fefefe', 'rgb(255,255,255)', 'snow', 'ivory']);
const FAR = -500;
const MIN_FONT_SIZE = 2;
const MAX_STYLE_LENGTH = 2000;

/** The effect of a style attribute on the text of its element. */
export interface Styled {
  readonly isHidden: boolean;
  /** Set when the style has a background on which white text is readable. */
  readonly isDark: boolean;
}

// Most styles match none of these and need not be parsed.
const RELEVANT =
  /none|hidden|collapse|opacity|font|indent|background|white|#f|rgb|transparent|snow|ivory|height|width|clip|scale|translate|-\d/i;
const UNSTYLED: Styled = { isHidden: false, isDark: false };

export function isWhite(colour: string): boolean {
  return WHITE.has(colour);
}

// Approximate pixels per unit. A percentage is taken as one of a font size of 16 pixels.
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 1],
  ['em', 16],
  ['rem', 16],
  ['%', 0.16],
  ['vw', 10],
  ['vh', 10],
]);

/** A length in pixels. Undefined if the value is not a length. */
function pixels(value: string): number | undefined {
  const match = /^(-?\d{0,9}(?:\.\d{0,9})?)(px|pt|em|rem|%|vw|vh)?$/.exec(value.slice(0, 24));
  if (match === null || match[1] === '' || match[1] === '-') return undefined;
  return Number(match[1]) * (UNITS.get(match[2] ?? '') as number);
}

function isBelow(value: string | undefined, limit: number): boolean {
  const length = value === undefined ? undefined : pixels(value);
  return length !== undefined && length <= limit;
}

function declarations(style: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_LENGTH).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      found.set(
        declaration.slice(0, colon).trim(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .replaceAll(' ', ''),
      );
  }
  return found;
}

function isInvisible(style: Map<string, string>): boolean {
  const visibility = style.get('visibility');
  if (style.get('display') === 'none' || visibility === 'hidden' || visibility === 'collapse') return true;
  return Number(style.get('opacity') || 1) <= 0.05;
}

function isTiny(style: Map<string, string>): boolean {
  if (isBelow(style.get('font-size'), MIN_FONT_SIZE)) return true;
  const limit = style.get('overflow') === 'hidden' ? 1 : 0;
  return ['height', 'max-height', 'width', 'max-width', 'line-height'].some((name) => isBelow(style.get(name), limit));
}

function isOffScreen(style: Map<string, string>): boolean {
  const offsets = ['left', 'top', 'right', 'bottom', 'margin-left', 'margin-top', 'text-indent'];
  if (offsets.some((name) => isBelow(style.get(name), FAR))) return true;
  const transform = style.get('transform') ?? '';
  return (
    /^scale\(0|^translate[xy]?\(-\d{3}/.test(transform) || /^(?:rect\([01]|inset\((?:50|100)%)/.test(clipOf(style))
  );
}

function clipOf(style: Map<string, string>): string {
  return style.get('clip') ?? style.get('clip-path') ?? '';
}

/**
 * Reads a style attribute. Set `isOnDark` if a surrounding element set a background: white text is invisible only
 * without one.
 */
export function readStyle(text: string, isOnDark: boolean): Styled {
  if (!RELEVANT.test(text)) return UNSTYLED;
  const style = declarations(text);
  if (style.size === 0) return UNSTYLED;
  const background = style.get('background-color') ?? style.get('background');
  const colour = style.get('color');
  const isBlended =
    colour !== undefined &&
    (colour === 'transparent' ||
      colour === background ||
      (isWhite(colour) && (background === undefined ? !isOnDark : isWhite(background))));
  return {
    isHidden: isBlended || isInvisible(style) || isTiny(style) || isOffScreen(style),
    isDark: background !== undefined && !isWhite(background),
  };
}
