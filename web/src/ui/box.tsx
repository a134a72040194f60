import { styled, View } from 'tamagui';

/**
 * A column. Box, Row, Panel, Text and Heading are styled by props with tokens (`gap="$16"`, of the 4 px grid);
 * everything else by the stylesheets in `theme/`, through the same tokens (`theme/tokens.ts`).
 */
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
