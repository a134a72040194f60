import type { ReactNode } from 'react';
import { colors, fontFamilies } from './theme/tokens.ts';

export const CardFrame = ({ children }: { children: ReactNode }) => (
  <div className="field-input" style={{ display: 'grid', alignItems: 'center' }}>
    <div>{children}</div>
  </div>
);

export const cardStyle = {
  base: {
    color: colors.paper,
    iconColor: colors.dim,
    fontFamily: fontFamilies.text,
    fontSize: '16px',
    '::placeholder': { color: '#9a8fa3' },
  },
  invalid: { color: colors.bad, iconColor: colors.bad },
};
