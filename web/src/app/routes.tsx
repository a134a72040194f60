import { type ComponentType, Fragment, lazy, type ReactNode } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router-dom';
import type { PagePath } from '#domain/contracts/pages.ts';
import { rememberedSignedIn, useSession } from '#web/lib/api/session.ts';
import { Protected } from '#web/ui/access/protected.tsx';
import { Waiting } from '#web/ui/page.tsx';

const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) => {
  const Page = lazy<ComponentType>(async () => ({ default: (await load())[name] }));
  return <Page />;
};

const landing = page(() => import('./pages/landing.tsx'), 'LandingPage');
const home = page(() => import('./pages/home.tsx'), 'HomePage');
const checkout = page(() => import('#web/features/checkout/checkout.tsx'), 'CheckoutPage');
const verifyTicket = page(() => import('#web/features/door/verify-ticket.tsx'), 'VerifyTicketPage');
const notFound = page(() => import('./pages/not-found.tsx'), 'NotFoundPage');

const Start = () => {
  const { isLoading, isAuthenticated, isProfileComplete } = useSession();
  if (isLoading) return rememberedSignedIn() ? <Waiting>Checking authentication...</Waiting> : landing;
  if (!isAuthenticated) return landing;
  return isProfileComplete ? home : <Navigate to="/profile-complete" replace />;
};

/** Remounts for another event. */
const CheckoutOf = () => <Fragment key={useParams().eventId}>{checkout}</Fragment>;

const pages: Readonly<Record<PagePath, ReactNode>> = {
  '/': <Start />,
  '/landing': landing,
  '/events': page(() => import('#web/features/events/browse/events.tsx'), 'EventsPage'),
  '/events/:id': page(() => import('#web/features/events/event.tsx'), 'EventPage'),
  '/booking/:eventId': (
    <Protected>
      <CheckoutOf />
    </Protected>
  ),
  '/profile': page(() => import('./pages/profile.tsx'), 'ProfilePage'),
  '/profile/security': (
    <Protected incompleteToo>
      {page(() => import('#web/features/accounts/security/security.tsx'), 'SecurityPage')}
    </Protected>
  ),
  '/profile-complete': (
    <Protected incompleteToo>
      {page(() => import('#web/features/accounts/profile/profile-complete.tsx'), 'ProfileCompletePage')}
    </Protected>
  ),
  '/profile-deleted': page(
    () => import('#web/features/accounts/profile/profile-deleted.tsx'),
    'ProfileDeletedPage',
  ),
  '/auth': page(() => import('#web/features/accounts/sign-in/auth.tsx'), 'AuthPage'),
  '/verify-email': page(() => import('#web/features/accounts/sign-in/verify-email.tsx'), 'VerifyEmailPage'),
  '/reset-password': page(
    () => import('#web/features/accounts/sign-in/reset-password.tsx'),
    'ResetPasswordPage',
  ),
  '/newsletter-unsubscribe': page(
    () => import('#web/features/newsletter/unsubscribe.tsx'),
    'UnsubscribePage',
  ),
  '/scanner': (
    <Protected incompleteToo>{page(() => import('#web/features/door/scanner.tsx'), 'ScannerPage')}</Protected>
  ),
  '/verify-ticket/:token': verifyTicket,
  '/T/:token': verifyTicket,
  '/admin': page(() => import('./pages/admin.tsx'), 'AdminPage'),
  '/audit': (
    <Protected incompleteToo>{page(() => import('#web/features/log/audit.tsx'), 'AuditPage')}</Protected>
  ),
  '/help': page(() => import('#web/features/help/help.tsx'), 'HelpPage'),
  '/contact': page(() => import('#web/features/help/contact.tsx'), 'ContactPage'),
  '/about': page(() => import('#web/features/help/about.tsx'), 'AboutPage'),
  '/privacy': page(() => import('#web/features/help/legal/privacy.tsx'), 'PrivacyPage'),
  '/terms': page(() => import('#web/features/help/legal/terms.tsx'), 'TermsPage'),
  '/cookies': page(() => import('#web/features/help/legal/cookies.tsx'), 'CookiesPage'),
};

export const AppRoutes = () => (
  <Routes>
    {Object.entries(pages).map(([path, element]) => (
      <Route key={path} path={path} element={element} />
    ))}
    <Route path="*" element={notFound} />
  </Routes>
);
