import { type ComponentType, lazy } from 'react';
import { Navigate, Route, Routes, useParams } from 'react-router-dom';
import { rememberedSignedIn, useSession } from './api/auth.ts';
import { Protected } from './kit/guard.tsx';
import { Waiting } from './ui/page.tsx';

/** A page that is loaded when it is first opened. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

const Landing = page(() => import('./pages/landing/landing.tsx'), 'LandingPage');
const Home = page(() => import('./pages/home/home.tsx'), 'HomePage');
const Events = page(() => import('./pages/events/events.tsx'), 'EventsPage');
const Event = page(() => import('./pages/event/event.tsx'), 'EventPage');
const Auth = page(() => import('./pages/auth/auth.tsx'), 'AuthPage');
const VerifyEmail = page(() => import('./pages/verify-email/verify-email.tsx'), 'VerifyEmailPage');
const ResetPassword = page(() => import('./pages/reset-password/reset-password.tsx'), 'ResetPasswordPage');
const ProfileComplete = page(
  () => import('./pages/profile-complete/profile-complete.tsx'),
  'ProfileCompletePage',
);
const Checkout = page(() => import('./pages/checkout/checkout.tsx'), 'CheckoutPage');
const Profile = page(() => import('./pages/profile/profile.tsx'), 'ProfilePage');
const ProfileDeleted = page(
  () => import('./pages/profile-deleted/profile-deleted.tsx'),
  'ProfileDeletedPage',
);
const Security = page(() => import('./pages/security/security.tsx'), 'SecurityPage');
const Scanner = page(() => import('./pages/scanner/scanner.tsx'), 'ScannerPage');
const VerifyTicket = page(() => import('./pages/verify-ticket/verify-ticket.tsx'), 'VerifyTicketPage');
const Unsubscribe = page(() => import('./pages/newsletter-unsubscribe/unsubscribe.tsx'), 'UnsubscribePage');
const Help = page(() => import('./pages/help/help.tsx'), 'HelpPage');
const Contact = page(() => import('./pages/contact/contact.tsx'), 'ContactPage');
const About = page(() => import('./pages/about/about.tsx'), 'AboutPage');
const Privacy = page(() => import('./pages/legal/privacy.tsx'), 'PrivacyPage');
const Terms = page(() => import('./pages/legal/terms.tsx'), 'TermsPage');
const Cookies = page(() => import('./pages/legal/cookies.tsx'), 'CookiesPage');
const Admin = page(() => import('./pages/admin/admin.tsx'), 'AdminPage');
const Audit = page(() => import('./pages/audit/audit.tsx'), 'AuditPage');
const NotFound = page(() => import('./pages/not-found/not-found.tsx'), 'NotFoundPage');

/** The landing page for visitors, the home page for people who are signed in. */
const Start = () => {
  const { isLoading, isAuthenticated, isProfileComplete } = useSession();
  if (isLoading) return rememberedSignedIn() ? <Waiting>Checking authentication...</Waiting> : <Landing />;
  if (!isAuthenticated) return <Landing />;
  return isProfileComplete ? <Home /> : <Navigate to="/profile-complete" replace />;
};

/** The key makes React start the page anew for another event: a purchase is of one. */
const CheckoutOf = () => <Checkout key={useParams().eventId} />;

/** All pages by their addresses. Unknown addresses get the not-found page. */
export const AppRoutes = () => (
  <Routes>
    <Route path="/" element={<Start />} />
    <Route path="/landing" element={<Landing />} />
    <Route path="/events" element={<Events />} />
    <Route path="/events/:id" element={<Event />} />
    <Route
      path="/booking/:eventId"
      element={
        <Protected>
          <CheckoutOf />
        </Protected>
      }
    />
    <Route path="/profile" element={<Profile />} />
    <Route
      path="/profile/security"
      element={
        <Protected incompleteToo>
          <Security />
        </Protected>
      }
    />
    <Route
      path="/profile-complete"
      element={
        <Protected incompleteToo>
          <ProfileComplete />
        </Protected>
      }
    />
    <Route path="/profile-deleted" element={<ProfileDeleted />} />
    <Route path="/auth" element={<Auth />} />
    <Route path="/verify-email" element={<VerifyEmail />} />
    <Route path="/reset-password" element={<ResetPassword />} />
    <Route path="/newsletter-unsubscribe" element={<Unsubscribe />} />
    <Route
      path="/scanner"
      element={
        <Protected incompleteToo>
          <Scanner />
        </Protected>
      }
    />
    <Route path="/verify-ticket/:token" element={<VerifyTicket />} />
    <Route path="/T/:token" element={<VerifyTicket />} />
    <Route path="/admin" element={<Admin />} />
    <Route
      path="/audit"
      element={
        <Protected incompleteToo>
          <Audit />
        </Protected>
      }
    />
    <Route path="/help" element={<Help />} />
    <Route path="/contact" element={<Contact />} />
    <Route path="/about" element={<About />} />
    <Route path="/privacy" element={<Privacy />} />
    <Route path="/terms" element={<Terms />} />
    <Route path="/cookies" element={<Cookies />} />
    <Route path="*" element={<NotFound />} />
  </Routes>
);
