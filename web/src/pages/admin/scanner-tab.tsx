import { Box } from '../../ui/box.tsx';
import { Heading } from '../../ui/text.tsx';
import { Door } from '../scanner/door.tsx';

export const Tab = () => (
  <Box gap="$24">
    <Heading size="title">QR Ticket Scanner</Heading>
    <Door />
  </Box>
);
