import { useSite } from '#web/lib/api/site.ts';
import { mayScan } from '#web/lib/roles.ts';
import { RequireRole } from '#web/ui/access/require-role.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Heading } from '#web/ui/text.tsx';
import { Door } from './door.tsx';

export const ScannerPage = () => {
  useTitle('Scanner', useSite().siteName);
  return (
    <RequireRole may={mayScan} denied="You don’t have permission to scan tickets.">
      <Page gap="$32">
        <Heading render="h1" size="poster">
          QR Ticket Scanner
        </Heading>
        <Door />
      </Page>
    </RequireRole>
  );
};
