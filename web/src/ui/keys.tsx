import './theme/staff.css';
import type { ReactNode } from 'react';

export const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;

export const Keys = ({ children }: { children: ReactNode }) => <dl className="keys">{children}</dl>;
