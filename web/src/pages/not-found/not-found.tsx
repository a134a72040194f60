import { useLocation } from 'react-router-dom';
import { useSite } from '../../api/site.ts';
import { Box } from '../../ui/box.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Page, useTitle } from '../../ui/page.tsx';
import { Heading, Text } from '../../ui/text.tsx';

/** Any address that the site doesn't have. */
export const NotFoundPage = () => {
  useTitle('404 Page Not Found', useSite().siteName);
  const { pathname } = useLocation();
  return (
    <Page>
      <Box gap="$24" paddingVertical="$40" alignItems="flex-start">
        <Heading render="h1" size="poster">
          404 Page Not Found
        </Heading>
        <Text size="lead" tone="dim" maxWidth={560}>
          Nothing is on at this address. Did you forget to add <code>{pathname}</code> to the router?
        </Text>
        <ButtonLink to="/events" kind="primary">
          Browse Events
        </ButtonLink>
      </Box>
    </Page>
  );
};
