import type { ComponentProps } from 'react';

/** The width of the end that stays, in letters such as 0. A wide letter, such as a Japanese one, counts twice. */
const endWidth = 6;

interface MiddleTruncatedProps extends Omit<ComponentProps<'span'>, 'children' | 'title'> {
  text: string;
}

/**
 * A text on one line, such as a name. Its middle is cut where it is too long: names of a series differ at their end.
 * It takes the whole width: the room of the start is a share of it.
 * Its accessible name has a space at the cut, so a link or a heading around it gets the name from elsewhere.
 */
export function MiddleTruncated({ text, className = '', ...attributes }: MiddleTruncatedProps) {
  const cut = endOf(text);
  return (
    <span
      title={text}
      className={`block w-full min-w-0 overflow-hidden whitespace-nowrap ${className}`}
      {...attributes}
    >
      {cut > 0 && (
        <span className="inline-block max-w-[calc(100%-7ch)] truncate align-bottom">{text.slice(0, cut)}</span>
      )}
      {text.slice(cut)}
    </span>
  );
}

/** Where the end of the text begins. */
function endOf(text: string): number {
  let cut = text.length;
  let width = 0;
  for (const letter of [...text].reverse()) {
    width += letter > '\u2e7f' ? 2 : 1;
    if (width > endWidth) return cut;
    cut -= letter.length;
  }
  return 0;
}
