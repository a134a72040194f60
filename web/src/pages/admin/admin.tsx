import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSession } from '../../api/auth.ts';
import { useSite } from '../../api/site.ts';
import { mayAdminister } from '../../frame/roles.ts';
import { Badge } from '../../ui/badge.tsx';
import { Row } from '../../ui/box.tsx';
import { Page, useTitle, Waiting } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Heading } from '../../ui/text.tsx';
import { complain } from '../../ui/toast.tsx';
import { EventsTab } from './events-tab.tsx';
import { RefundsTab } from './refunds-tab.tsx';

const REDIRECT_AFTER = 500;
const tabs = [
  { name: 'events', label: 'Events' },
  { name: 'refunds', label: 'Refunds' },
] as const;

/** The admin panel. For superusers; others are told why not and led away. */
export const AdminPage = () => {
  const { user, isLoading } = useSession();
  const [tab, setTab] = useState<(typeof tabs)[number]['name']>('events');
  const navigate = useNavigate();
  const allowed = !!user && mayAdminister(user.role);
  const signedIn = !!user;
  useTitle('Admin Panel', useSite().siteName);
  useEffect(() => {
    if (isLoading || allowed) return;
    if (signedIn) complain('Access Denied', "You don't have permission to access the admin panel.");
    else complain('Authentication Required', 'Please log in to access the admin panel.');
    const timer = setTimeout(() => navigate(signedIn ? '/' : '/auth', { replace: true }), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [isLoading, allowed, signedIn, navigate]);
  if (!allowed) return <Waiting>Checking access...</Waiting>;
  return (
    <Page gap="$32">
      <Row justifyContent="space-between" gap="$16" flexWrap="wrap">
        <Heading render="h1" size="poster">
          Admin Panel
        </Heading>
        <Badge tone="good">Superuser Access</Badge>
      </Row>
      <Tabs label="Admin" tabs={tabs} active={tab} onChange={setTab}>
        {tab === 'events' ? <EventsTab /> : <RefundsTab />}
      </Tabs>
    </Page>
  );
};
