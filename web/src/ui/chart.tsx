import './theme/staff.css';
import { Skeleton } from './skeleton.tsx';
import { Text } from './text.tsx';

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly words: string;
}

const sharesOf = (bars: readonly Bar[]): readonly number[] => {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  return bars.map(({ value }) => value / largest);
};

export const Columns = ({ label, bars }: { label: string; bars: readonly Bar[] }) => {
  const shares = sharesOf(bars);
  return (
    <div>
      <ul className="chart-columns" aria-label={label}>
        {bars.map(({ name, words }, index) => (
          <li key={name} title={`${name}: ${words}`}>
            <span className="unseen">{`${name}: ${words}`}</span>
            <span style={{ height: `${(shares[index] ?? 0) * 100}%` }} aria-hidden="true" />
          </li>
        ))}
      </ul>
      <div className="chart-ends" aria-hidden="true">
        <Text size="small" tone="dim">
          {bars[0]?.name}
        </Text>
        <Text size="small" tone="dim">
          {bars.at(-1)?.name}
        </Text>
      </div>
    </div>
  );
};

/** `height` of the loading skeleton in pixels. */
export const Bars = ({
  label,
  bars,
  height,
}: {
  label: string;
  bars: readonly Bar[] | undefined;
  height: number;
}) => {
  if (!bars) return <Skeleton height={height} />;
  const shares = sharesOf(bars);
  return (
    <ul className="chart-rows" aria-label={label}>
      {bars.map(({ name, words }, index) => (
        <li key={name}>
          <Text size="small">{name}</Text>
          <span className="chart-row" aria-hidden="true">
            <span className="chart-share" style={{ width: `${(shares[index] ?? 0) * 100}%` }} />
          </span>
          <Text size="small" tone="dim" figures>
            {words}
          </Text>
        </li>
      ))}
    </ul>
  );
};
