import { useLocation } from 'react-router-dom';
import { useSite } from '../../api/site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Blank, Page, useTitle } from '../../ui/page.tsx';

export const NotFoundPage = () => {
  useTitle('404 Page Not Found', useSite().siteName);
  const { pathname } = useLocation();
  return (
    <Page>
      <Blank
        level="h1"
        title="404 Page Not Found"
        action={
          <ButtonLink to="/events" kind="primary">
            Browse Events
          </ButtonLink>
        }
      >
        Nothing is on at this address. Did you forget to add <code>{pathname}</code> to the router?
      </Blank>
    </Page>
  );
};
