import { Panel } from './box.tsx';
import { Skeleton } from './skeleton.tsx';
import { Heading, Text } from './text.tsx';

/** Figures by their names, in one row; on a phone in rows of two. Undefined ones show as loading. */
export const Figures = ({ of }: { of: Readonly<Record<string, string | number | undefined>> }) => (
  <div className="figure-row">
    {Object.entries(of).map(([name, value]) => (
      <Panel key={name} padding="$16" gap="$4" $md={{ padding: '$16', paddingHorizontal: '$24' }}>
        <Text size="small" tone="dim">
          {name}
        </Text>
        <Heading render="div" size="headline" figures>
          {value ?? <Skeleton width="4ch" height="1lh" />}
        </Heading>
      </Panel>
    ))}
  </div>
);
