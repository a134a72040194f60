import './theme/staff.css';
import { Text } from './text.tsx';

/** Reserves the height of `room`, the longest text. */
export const HeldLine = ({ room, children }: { room: string; children: string }) => (
  <div className="held-line" data-room={room}>
    <Text size="small" tone="dim">
      {children}
    </Text>
  </div>
);
