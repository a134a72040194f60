import type { ReactNode } from 'react';

export const TimelineEntry = ({ children, last }: { children: ReactNode; last: boolean }) => (
  <li className="trail" data-last={last || undefined}>
    {children}
  </li>
);

export const Fold = ({ title, open, children }: { title: string; open?: boolean; children: ReactNode }) => (
  <details className="fold" data-ruled="" open={open}>
    <summary>{title}</summary>
    <div className="fold-body">{children}</div>
  </details>
);
