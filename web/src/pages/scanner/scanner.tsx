import { useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { useSession } from '../../api/auth.ts';
import { useSite } from '../../api/site.ts';
import { mayScan } from '../../frame/guard.tsx';
import { Page, useTitle, Waiting } from '../../ui/page.tsx';
import { Heading } from '../../ui/text.tsx';
import { complain } from '../../ui/toast.tsx';
import { Door } from './door.tsx';

const REDIRECT_AFTER = 500;

/** The scanner's own page, for door staff, admins and superusers. */
export const ScannerPage = () => {
  const { user } = useSession();
  const navigate = useNavigate();
  const allowed = !!user && mayScan(user.role);
  useTitle('Scanner', useSite().siteName);
  useEffect(() => {
    if (allowed) return;
    complain('Access Denied', "You don't have permission to scan tickets.");
    const timer = setTimeout(() => navigate('/', { replace: true }), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [allowed, navigate]);
  if (allowed && user.needsSecondFactor) return <Navigate to="/profile/security" replace />;
  if (!allowed) return <Waiting>Checking access...</Waiting>;
  return (
    <Page gap="$32">
      <Heading render="h1" size="poster">
        QR Ticket Scanner
      </Heading>
      <Door />
    </Page>
  );
};
