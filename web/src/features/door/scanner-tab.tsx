import { Box } from '#web/ui/box.tsx';
import { Heading } from '#web/ui/text.tsx';
import { Door } from './door.tsx';

export const Tab = () => (
  <Box gap="$24">
    <Heading size="title">QR Ticket Scanner</Heading>
    <Door />
  </Box>
);
