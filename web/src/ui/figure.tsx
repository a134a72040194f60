import './theme/staff.css';
import { Panel } from './box.tsx';
import { Skeleton } from './skeleton.tsx';
import { Heading, Text } from './text.tsx';

type Values = Readonly<Record<string, string | number | undefined>>;

/** Figures by their names, in one row; on a phone in rows of two. Undefined ones show as loading. `notes` are shown below them. */
export const Figures = ({ of, notes = {} }: { of: Values; notes?: Values }) => (
  <div className="figure-row">
    {Object.entries(of).map(([name, value]) => (
      <Panel key={name} padding="$16" gap="$4" $md={{ padding: '$16', paddingHorizontal: '$24' }}>
        <Text size="small" tone="dim">
          {name}
        </Text>
        <Heading render="div" size="headline" figures>
          {value ?? <Skeleton width="4ch" height="1lh" />}
        </Heading>
        {name in notes ? (
          <Text size="small" tone="dim" figures>
            {notes[name] ?? <Skeleton width="8ch" height="1lh" />}
          </Text>
        ) : null}
      </Panel>
    ))}
  </div>
);
