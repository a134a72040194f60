import type { ReactNode } from 'react';
import { Panel } from './box.tsx';
import { Heading, Text } from './text.tsx';

/** A figure with its name, in a row of its kind. */
export const Figure = ({ name, value }: { name: string; value: string }) => (
  <Panel padding="$20" gap="$4" $md={{ padding: '$24' }}>
    <Text size="small" tone="dim">
      {name}
    </Text>
    <Heading render="p" size="headline" figures>
      {value}
    </Heading>
  </Panel>
);

/** Four figures: side by side, on a phone two and two. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <div className="figure-row">{children}</div>
);
