import { styled, View } from 'tamagui';

/** A column. Distances are tokens of the 4 px grid: `gap="$16"`. */
export const Box = styled(View, {
  name: 'Box',
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  flexShrink: 1,
});

export const Row = styled(View, {
  name: 'Row',
  display: 'flex',
  flexDirection: 'row',
  alignItems: 'center',
  minWidth: 0,
  flexShrink: 1,
});

export const Panel = styled(View, {
  name: 'Panel',
  className: 'card',
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  flexShrink: 1,
  padding: '$20',
  gap: '$16',
  $md: { padding: '$32' },
});
