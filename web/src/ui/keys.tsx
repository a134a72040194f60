import './theme/staff.css';
import type { ReactNode } from 'react';

/** A key of the keyboard. */
export const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;

/** A list of keys (`dt`) and what they do (`dd`), in two columns where there is room. */
export const Keys = ({ children }: { children: ReactNode }) => <dl className="keys">{children}</dl>;
