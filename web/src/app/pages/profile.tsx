import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { User } from '#domain/contracts/auth.ts';
import type { Booking } from '#domain/contracts/bookings.ts';
import { DeleteAccountDialog } from '#web/features/accounts/profile/delete-account.tsx';
import { OwnData } from '#web/features/accounts/profile/own-data.tsx';
import { ResendVerification } from '#web/features/accounts/sign-in/resend-verification.tsx';
import { BookingCard } from '#web/features/bookings/booking-card.tsx';
import { useBookings } from '#web/features/bookings/use-bookings.ts';
import { WaitingFor } from '#web/features/waiting/waiting-for.tsx';
import { useCategoryName } from '#web/lib/api/catalogue.ts';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { toastError } from '#web/lib/toast.ts';
import { rememberWayBack } from '#web/lib/way-back.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { TextButton, TextLink } from '#web/ui/link.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { EmptyState, Page, useTitle, Waiting } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Heading, Text, Unseen } from '#web/ui/text.tsx';

/** Milliseconds. */
const REDIRECT_AFTER = 1_000;

const UserCard = ({ user }: { user: User }) => {
  const nameOf = useCategoryName();
  const likes = user.preferences.favoriteCategories.map(nameOf).join(', ');
  return (
    <Panel gap="$8">
      <Heading render="h1" size="headline">
        {`${user.firstName} ${user.lastName ?? ''}`}
      </Heading>
      <Row gap="$8" columnGap="$16" flexWrap="wrap">
        <Text tone="dim" maxWidth="100%">
          {user.email}
        </Text>
        {user.emailVerified ? (
          <Badge tone="good">Email verified</Badge>
        ) : (
          <>
            <Badge tone="warn">Email not verified</Badge>
            <ResendVerification email={user.email} />
          </>
        )}
      </Row>
      {likes ? (
        <Text size="small" tone="dim">
          {`Likes ${likes}`}
        </Text>
      ) : null}
    </Panel>
  );
};

type TabName = Booking['tab'];

const Bookings = ({ bookings }: { bookings: readonly Booking[] }) => {
  const proofOf = Number(useSearchParams()[0].get('proof'));
  const bought: number | undefined = useLocation().state?.bought;
  const asked = bookings.find(({ id }) => id === (bought ?? proofOf));
  const [tab, setTab] = useState<TabName>(asked?.tab ?? 'upcoming');
  // A cancelled booking moves to another tab together with its focused button.
  const top = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(top);
  const of = (name: TabName) => bookings.filter((booking) => booking.tab === name);
  const upcoming = of('upcoming').sort((a, b) => a.event.startsAt.localeCompare(b.event.startsAt));
  const past = of('past').sort((a, b) => b.event.startsAt.localeCompare(a.event.startsAt));
  const cancelled = of('cancelled').sort((a, b) => (b.cancelledAt ?? '').localeCompare(a.cancelledAt ?? ''));
  const shown = { upcoming, past, cancelled }[tab];
  const first = upcoming.find(({ id }) => id === bought) ?? upcoming[0];
  const tabs = [
    { name: 'upcoming' as const, label: `Upcoming Events (${upcoming.length})` },
    { name: 'past' as const, label: `Past Events (${past.length})` },
    ...(cancelled.length > 0
      ? [{ name: 'cancelled' as const, label: `Cancelled (${cancelled.length})` }]
      : []),
  ];
  return (
    <Box ref={top} role="group" aria-label="Your bookings" tabIndex={-1} {...keptFocus}>
      <Unseen render="h2">Your bookings</Unseen>
      <Tabs label="Your bookings" tabs={tabs} active={tab} onChange={setTab}>
        {shown.length === 0 ? (
          <EmptyState
            title={tab === 'upcoming' ? 'Nothing booked yet' : 'Nothing here yet'}
            action={
              <ButtonLink to="/events" kind="primary">
                Browse Events
              </ButtonLink>
            }
          >
            {tab === 'upcoming'
              ? 'Your next night out will be here, with its ticket.'
              : 'Events that are over move here.'}
          </EmptyState>
        ) : (
          <Box gap="$20">
            {shown.map((booking, index) => (
              <BookingCard
                key={booking.id}
                booking={booking}
                next={tab === 'upcoming' && index === 0}
                first={booking === first}
                bought={booking.id === bought}
                proofAsked={booking.id === proofOf}
              />
            ))}
          </Box>
        )}
      </Tabs>
    </Box>
  );
};

export const ProfilePage = () => {
  const { user, isLoading, isAuthenticated, isProfileComplete } = useSession();
  const [leaving, setLeaving] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const bookings = useBookings(isAuthenticated);
  const navigate = useNavigate();
  useTitle('Profile', useSite().siteName);
  useEffect(() => {
    if (isLoading || isAuthenticated || leaving) return;
    rememberWayBack();
    toastError('Authentication Required', 'Please sign in to see your profile.');
    const timer = setTimeout(() => navigate('/auth', { replace: true }), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [isLoading, isAuthenticated, leaving, navigate]);
  useEffect(() => {
    if (!isAuthenticated || isProfileComplete) return;
    rememberWayBack();
    navigate('/profile-complete', { replace: true });
  }, [isAuthenticated, isProfileComplete, navigate]);
  if (leaving) return <Waiting>One moment, please.</Waiting>;
  if (isLoading || !user)
    return (
      <Waiting>{isLoading ? 'Checking authentication...' : 'Taking you to the sign-in page...'}</Waiting>
    );
  return (
    <Page gap="$32">
      <UserCard user={user} />
      {bookings.data ? (
        <Bookings bookings={bookings.data} />
      ) : bookings.isError ? (
        <Notice
          tone="bad"
          alert
          title="Your bookings didn’t load"
          action={<TryAgain size="small" refetch={bookings.refetch} />}
        >
          They are safe; only this page could not get them.
        </Notice>
      ) : (
        <Loading label="Loading your bookings">
          <Box gap="$20">
            <Skeleton height={48} width="60%" />
            <Skeleton height={264} />
            <Skeleton height={228} />
          </Box>
        </Loading>
      )}
      <WaitingFor />
      <Row justifyContent="center" columnGap="$32" flexWrap="wrap">
        <TextLink to="/profile/security">Sign-in and security</TextLink>
        <OwnData />
        <TextButton onClick={() => setDeleting(true)}>Delete Account</TextButton>
      </Row>
      {deleting ? (
        <DeleteAccountDialog onClose={() => setDeleting(false)} onLeave={() => setLeaving(true)} />
      ) : null}
    </Page>
  );
};
