import { lazy, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCities } from '#web/lib/api/catalogue.ts';
import { rememberedSignedIn, useSession } from '#web/lib/api/session.ts';
import { BarLink, Below, From, TopBar } from '#web/ui/bar.tsx';
import { Box, Row } from '#web/ui/box.tsx';
import { ButtonLink, IconButton } from '#web/ui/button.tsx';
import { CrashScreen } from '#web/ui/crash.tsx';
import { RoundSelect } from '#web/ui/field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { Logo } from './logo.tsx';
import { SearchBox } from './search-box.tsx';

const links = [
  { to: '/events', label: 'Events', category: null },
  { to: '/events?category=concerts', label: 'Concerts', category: 'concerts' },
  { to: '/events?category=dining', label: 'Dining', category: 'dining' },
  { to: '/events?category=nightlife', label: 'Nightlife', category: 'nightlife' },
] as const;

const NavLinks = () => {
  const { pathname, search } = useLocation();
  const category = new URLSearchParams(search).get('category');
  return links.map((link) => (
    <BarLink
      key={link.to}
      to={link.to}
      current={pathname === '/events' && category?.toLowerCase() === link.category?.toLowerCase()}
    >
      {link.label}
    </BarLink>
  ));
};

const CitySelect = () => {
  const cities = useCities();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  if (cities.length === 0) return null;
  const all = search ? '' : '*';
  const chosen = pathname === '/events' ? (new URLSearchParams(search).get('city') ?? all) : '';
  return (
    <div style={{ width: 156, flex: 'none' }}>
      <RoundSelect
        label="City"
        value={chosen}
        options={[
          { value: '', label: 'Select City' },
          { value: '*', label: 'All Cities' },
          ...cities.map((city) => ({ value: city.name, label: city.name })),
        ]}
        onChange={(event) => {
          const city = event.target.value;
          navigate(city && city !== '*' ? `/events?city=${encodeURIComponent(city)}` : '/events');
        }}
      />
    </div>
  );
};

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }));

const Account = () => {
  const { user, isLoading } = useSession();
  const waiting = <Skeleton width={44} height={44} round />;
  // Fallback if the menu's code no longer exists after a release; the link reloads the site.
  const profile = (
    <ButtonLink to="/profile" reload kind="outline" size="small">
      Profile
    </ButtonLink>
  );
  if (user)
    return (
      <CrashScreen waiting={waiting} instead={profile}>
        <AccountMenu user={user} />
      </CrashScreen>
    );
  if (isLoading && rememberedSignedIn()) return waiting;
  return (
    <ButtonLink to="/auth" kind="outline" size="small">
      Sign In
    </ButtonLink>
  );
};

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
        <>
          {searching ? (
            <Below width="desktop">
              <Row paddingHorizontal="$20" paddingBottom="$12">
                <SearchBox autoFocus onDone={() => setSearching(false)} />
              </Row>
            </Below>
          ) : null}
          <ConnectionNote />
        </>
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
          onClick={({ detail }) => detail < 2 && setSearching(!searching)}
        />
      </Below>
      <Account />
    </TopBar>
  );
};
