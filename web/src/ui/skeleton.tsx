import { Box } from './box.tsx';

/** A place holder with the shape of what comes. Sizes in pixels, or any CSS length. */
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

/** Says to everyone that something is on its way, while its skeletons show. */
export const Loading = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <Box role="status" aria-busy={true}>
    <span className="unseen">{label}</span>
    <div aria-hidden="true">{children}</div>
  </Box>
);

/** A card of an event, before it is there. */
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
