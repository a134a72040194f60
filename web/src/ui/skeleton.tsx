import { Box } from './box.tsx';

/** Sizes in pixels, or any CSS length. */
export const Skeleton = ({
  width = '100%',
  height = 16,
  round,
}: {
  width?: number | string;
  height?: number | string;
  round?: boolean;
}) => (
  <div
    className="skeleton"
    style={{ width, height, ...(round ? { borderRadius: 'var(--radius-pill)' } : {}) }}
  />
);

export const Loading = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <Box role="status" aria-busy={true}>
    <span className="unseen">{label}</span>
    <div aria-hidden="true">{children}</div>
  </Box>
);

export const CardSkeleton = () => (
  <div className="event-card">
    <div className="skeleton" style={{ aspectRatio: '4 / 3', borderRadius: 0 }} />
    <Box padding="$20" gap="$12">
      <Skeleton width="40%" height={14} />
      <Skeleton width="85%" height={24} />
      <Skeleton width="60%" />
      <Skeleton />
      <Skeleton width="30%" height={22} />
    </Box>
  </div>
);

export const CompactSkeleton = () => (
  <div className="event-card" data-compact="">
    <div className="poster skeleton" style={{ aspectRatio: 1 }} />
    <Box padding="$16" paddingLeft="$4" gap="$12" flex={1} minHeight={124} justifyContent="center">
      <Skeleton width="80%" />
      <Skeleton width="50%" height={14} />
      <Skeleton width="60%" height={14} />
    </Box>
  </div>
);

export const LineSkeletons = ({ count }: { count: number }) => (
  <div className="lines">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: place holders have nothing else to tell them apart.
      <div key={index}>
        <Skeleton width="62%" height={20} />
        <Skeleton width="38%" height={14} />
      </div>
    ))}
  </div>
);
