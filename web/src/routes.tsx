import { type ComponentType, Fragment, lazy, type ReactNode } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router-dom';
import type { PagePath } from '#domain/contracts/pages.ts';
import { rememberedSignedIn, useSession } from './api/auth.ts';
import { Protected } from './kit/guard.tsx';
import { Waiting } from './ui/page.tsx';

const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) => {
  const Page = lazy<ComponentType>(async () => ({ default: (await load())[name] }));
  return <Page />;
};

const landing = page(() => import('./pages/landing/landing.tsx'), 'LandingPage');
const home = page(() => import('./pages/home/home.tsx'), 'HomePage');
const checkout = page(() => import('./pages/checkout/checkout.tsx'), 'CheckoutPage');
const verifyTicket = page(() => import('./pages/verify-ticket/verify-ticket.tsx'), 'VerifyTicketPage');
const notFound = page(() => import('./pages/not-found/not-found.tsx'), 'NotFoundPage');

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
  '/events': page(() => import('./pages/events/events.tsx'), 'EventsPage'),
  '/events/:id': page(() => import('./pages/event/event.tsx'), 'EventPage'),
  '/booking/:eventId': (
    <Protected>
      <CheckoutOf />
    </Protected>
  ),
  '/profile': page(() => import('./pages/profile/profile.tsx'), 'ProfilePage'),
  '/profile/security': (
    <Protected incompleteToo>{page(() => import('./pages/security/security.tsx'), 'SecurityPage')}</Protected>
  ),
  '/profile-complete': (
    <Protected incompleteToo>
      {page(() => import('./pages/profile-complete/profile-complete.tsx'), 'ProfileCompletePage')}
    </Protected>
  ),
  '/profile-deleted': page(() => import('./pages/profile-deleted/profile-deleted.tsx'), 'ProfileDeletedPage'),
  '/auth': page(() => import('./pages/auth/auth.tsx'), 'AuthPage'),
  '/verify-email': page(() => import('./pages/verify-email/verify-email.tsx'), 'VerifyEmailPage'),
  '/reset-password': page(() => import('./pages/reset-password/reset-password.tsx'), 'ResetPasswordPage'),
  '/newsletter-unsubscribe': page(
    () => import('./pages/newsletter-unsubscribe/unsubscribe.tsx'),
    'UnsubscribePage',
  ),
  '/scanner': (
    <Protected incompleteToo>{page(() => import('./pages/scanner/scanner.tsx'), 'ScannerPage')}</Protected>
  ),
  '/verify-ticket/:token': verifyTicket,
  '/T/:token': verifyTicket,
  '/admin': page(() => import('./pages/admin/admin.tsx'), 'AdminPage'),
  '/audit': <Protected incompleteToo>{page(() => import('./pages/audit/audit.tsx'), 'AuditPage')}</Protected>,
  '/help': page(() => import('./pages/help/help.tsx'), 'HelpPage'),
  '/contact': page(() => import('./pages/contact/contact.tsx'), 'ContactPage'),
  '/about': page(() => import('./pages/about/about.tsx'), 'AboutPage'),
  '/privacy': page(() => import('./pages/legal/privacy.tsx'), 'PrivacyPage'),
  '/terms': page(() => import('./pages/legal/terms.tsx'), 'TermsPage'),
  '/cookies': page(() => import('./pages/legal/cookies.tsx'), 'CookiesPage'),
};

export const AppRoutes = () => (
  <Routes>
    {Object.entries(pages).map(([path, element]) => (
      <Route key={path} path={path} element={element} />
    ))}
    <Route path="*" element={notFound} />
  </Routes>
);
