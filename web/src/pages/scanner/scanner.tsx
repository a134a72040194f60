import { useSite } from '../../api/site.ts';
import { Only } from '../../kit/only.tsx';
import { mayScan } from '../../kit/roles.ts';
import { Page, useTitle } from '../../ui/page.tsx';
import { Heading } from '../../ui/text.tsx';
import { Door } from './door.tsx';

export const ScannerPage = () => {
  useTitle('Scanner', useSite().siteName);
  return (
    <Only may={mayScan} denied="You don’t have permission to scan tickets.">
      <Page gap="$32">
        <Heading render="h1" size="poster">
          QR Ticket Scanner
        </Heading>
        <Door />
      </Page>
    </Only>
  );
};
