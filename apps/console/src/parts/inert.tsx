import './inert.css';
import { memo, type ReactNode } from 'react';
import { visiblePieces } from './visible.ts';

interface InertProps {
  readonly text: string;
}

/** Text of others. Nothing in it is a link, and no character of it is hidden or obeyed. */
export const Inert = memo(function Inert({ text }: InertProps): ReactNode {
  const pieces = visiblePieces(text);
  return (
    <bdi className="inert">
      {pieces.map((piece, index) =>
        piece.isEscape ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          <span key={index} className="inert-escape">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
});
