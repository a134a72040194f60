import type { ReactNode } from 'react';
import { colors, fontFamilies } from './theme/tokens.ts';

/** Looks like a field, and holds the card field that the payment provider draws. */
export const CardFrame = ({ children }: { children: ReactNode }) => (
  <div className="field-input" style={{ display: 'grid', alignItems: 'center' }}>
    <div>{children}</div>
  </div>
);

/** The text style of the provider's field. */
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
