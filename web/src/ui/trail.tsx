import type { ReactNode } from 'react';

/** A line of a history: a stop on a thread. */
export const TrailLine = ({ children, last }: { children: ReactNode; last: boolean }) => (
  <li className="trail" data-last={last || undefined}>
    {children}
  </li>
);

/** A line that unfolds. */
export const Fold = ({ title, open, children }: { title: string; open?: boolean; children: ReactNode }) => (
  <details className="fold" data-ruled="" open={open}>
    <summary>{title}</summary>
    <div className="fold-body">{children}</div>
  </details>
);
