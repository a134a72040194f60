import type { ReactNode } from 'react';

/** One line of a booking's history. */
export const TrailLine = ({ children, last }: { children: ReactNode; last: boolean }) => (
  <li className="trail" data-last={last || undefined}>
    {children}
  </li>
);

/** A title that shows its content when it is pressed. */
export const Fold = ({ title, open, children }: { title: string; open?: boolean; children: ReactNode }) => (
  <details className="fold" data-ruled="" open={open}>
    <summary>{title}</summary>
    <div className="fold-body">{children}</div>
  </details>
);
