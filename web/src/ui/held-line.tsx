import './theme/staff.css';
import { Text } from './text.tsx';

/** A line of small text that changes, in a place as high as `room`, the longest of its texts, needs it. */
export const HeldLine = ({ room, children }: { room: string; children: string }) => (
  <div className="held-line" data-room={room}>
    <Text size="small" tone="dim">
      {children}
    </Text>
  </div>
);
