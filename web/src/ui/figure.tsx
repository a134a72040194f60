import './theme/staff.css';
import type { CSSProperties } from 'react';
import { Panel, Row } from './box.tsx';
import { Icon } from './icons.tsx';
import { Skeleton } from './skeleton.tsx';
import { Heading, Text } from './text.tsx';

type Values = Readonly<Record<string, string | number | undefined>>;

interface Comparison {
  readonly of?: string;
  readonly with?: { readonly direction: 'up' | 'down' | 'level'; readonly words: string } | undefined;
}

const Compared = ({ of, with: before }: Comparison) => (
  <>
    {of ? (
      <Text size="small" tone="dim" figures>
        {of}
      </Text>
    ) : null}
    {before ? (
      <Row gap="$4" alignItems="flex-start">
        <span className="figure-direction">
          <Icon name={before.direction} size={14} />
        </span>
        <Text size="small" figures>
          {before.words}
        </Text>
      </Row>
    ) : null}
  </>
);

const Value = ({ children }: { children: string }) => (
  <div className="figure">
    <span style={{ '--characters': children.length } as CSSProperties}>{children}</span>
  </div>
);

export const Figures = ({
  of,
  notes = {},
  comparisons = {},
}: {
  of: Values;
  notes?: Values;
  comparisons?: Readonly<Record<string, Comparison | null | undefined>>;
}) => (
  <div className="figure-row">
    {Object.entries(of).map(([name, value]) => {
      const comparison = comparisons[name];
      return (
        <Panel key={name} padding="$16" gap="$4" $md={{ padding: '$16', paddingHorizontal: '$24' }}>
          <Text size="small" tone="dim">
            {name}
          </Text>
          <Heading render="div" size="headline" figures>
            {value === undefined ? (
              <Skeleton width="4ch" height="1lh" />
            ) : (
              <Value>{typeof value === 'number' ? value.toLocaleString('en-GB') : value}</Value>
            )}
          </Heading>
          {name in notes ? (
            <Text size="small" tone="dim" figures>
              {notes[name] ?? <Skeleton width="8ch" height="1lh" />}
            </Text>
          ) : null}
          {comparison ? <Compared {...comparison} /> : null}
          {name in comparisons && comparison === undefined ? (
            <Text size="small">
              <Skeleton height="3lh" />
            </Text>
          ) : null}
        </Panel>
      );
    })}
  </div>
);
