import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { rememberedSignedIn, useSession } from '../api/auth.ts';
import { Below, From, TopBar } from '../ui/bar.tsx';
import { Box, Row } from '../ui/box.tsx';
import { ButtonLink, IconButton } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CitySelect } from './city-select.tsx';
import { Logo } from './logo.tsx';
import { NavLinks } from './nav.tsx';
import { SearchBox } from './search-box.tsx';

const Account = () => {
  const { user, isLoading } = useSession();
  if (user) return <AccountMenu user={user} />;
  if (isLoading && rememberedSignedIn()) return <Skeleton width={44} height={44} round />;
  return (
    <ButtonLink to="/auth" kind="outline" size="small">
      Sign In
    </ButtonLink>
  );
};

/** The header of every page. */
export const Header = () => {
  const [searching, setSearching] = useState(false);
  const { pathname, search } = useLocation();
  const [at, setAt] = useState(pathname + search);
  if (at !== pathname + search) {
    setAt(pathname + search);
    setSearching(false);
  }
  return (
    <TopBar
      below={
        searching ? (
          <Below width="desktop">
            <Row paddingHorizontal="$20" paddingBottom="$12">
              <SearchBox autoFocus onDone={() => setSearching(false)} />
            </Row>
          </Below>
        ) : null
      }
      after={
        <nav className="mobile-nav" aria-label="Main">
          <NavLinks />
        </nav>
      }
    >
      <Logo />
      <From width="tablet">
        <Row render="nav" aria-label="Main">
          <NavLinks />
        </Row>
      </From>
      <Box flex={1} />
      <From width="desktop">
        <SearchBox />
        <CitySelect />
      </From>
      <Below width="desktop">
        <IconButton
          icon="search"
          label="Search events"
          aria-expanded={searching}
          onClick={() => setSearching(!searching)}
        />
      </Below>
      <Account />
    </TopBar>
  );
};
