import { useLocation } from 'react-router-dom';
import { useSite } from '#web/lib/api/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, Page, useTitle } from '#web/ui/page.tsx';

export const NotFoundPage = () => {
  useTitle('404 Page Not Found', useSite().siteName);
  const { pathname } = useLocation();
  return (
    <Page>
      <EmptyState
        level="h1"
        title="404 Page Not Found"
        action={
          <ButtonLink to="/events" kind="primary">
            Browse Events
          </ButtonLink>
        }
      >
        Nothing is on at this address. Did you forget to add <code>{pathname}</code> to the router?
      </EmptyState>
    </Page>
  );
};
