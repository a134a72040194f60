import type { ReactNode } from 'react';
import { Panel } from './box.tsx';
import { Skeleton } from './skeleton.tsx';
import { Heading, Text } from './text.tsx';

/** A figure with its name, in a row of its kind. A place holder until it is there. */
export const Figure = ({ name, value }: { name: string; value: string | number | undefined }) => (
  <Panel padding="$16" gap="$4" $md={{ padding: '$16', paddingHorizontal: '$24' }}>
    <Text size="small" tone="dim">
      {name}
    </Text>
    <Heading render="div" size="headline" figures>
      {value ?? <Skeleton width="4ch" height="1lh" />}
    </Heading>
  </Panel>
);

/** Four figures: side by side, on a phone two and two. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <div className="figure-row">{children}</div>
);
