import { type ComponentType, lazy, Suspense } from 'react';
import { useAdminLive } from '../../api/admin-live.ts';
import { useSite } from '../../api/site.ts';
import { Only } from '../../kit/only.tsx';
import { mayAdminister } from '../../kit/roles.ts';
import { Shortcuts } from '../../kit/shortcuts.tsx';
import { useTab } from '../../kit/use-tab.ts';
import { Badge } from '../../ui/badge.tsx';
import { Row } from '../../ui/box.tsx';
import { Page, useTitle } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Heading } from '../../ui/text.tsx';

const tab = <Name extends string>(
  name: Name,
  label: string,
  load: () => Promise<{ readonly Tab: ComponentType }>,
) => ({ name, label, Panel: lazy(async () => ({ default: (await load()).Tab })) });

const tabs = [
  tab('dashboard', 'Dashboard', () => import('./dashboard-tab.tsx')),
  tab('events', 'Events', () => import('./events-tab.tsx')),
  tab('users', 'Users', () => import('./users-tab.tsx')),
  tab('bookings', 'Bookings', () => import('./bookings-tab.tsx')),
  tab('refunds', 'Refunds', () => import('./refunds-tab.tsx')),
  tab('content', 'Content', () => import('./content-tab.tsx')),
  tab('promotions', 'Promotions', () => import('./promotions-tab.tsx')),
  tab('categories', 'Categories', () => import('./categories-tab.tsx')),
  tab('cities', 'Cities', () => import('./cities-tab.tsx')),
  tab('venues', 'Venues', () => import('./venues-tab.tsx')),
  tab('newsletter', 'Newsletter', () => import('./newsletter-tab.tsx')),
  tab('sponsors', 'Sponsors', () => import('./sponsors-tab.tsx')),
  tab('images', 'Images', () => import('./images-tab.tsx')),
  tab('email-templates', 'Email templates', () => import('./email-templates-tab.tsx')),
  tab('webhooks', 'Webhooks', () => import('./hooks-tab.tsx')),
  tab('analytics', 'Analytics', () => import('./analytics-tab.tsx')),
  tab('audit', 'Audit', () => import('./audit-tab.tsx')),
  tab('scanner', 'QR Scanner', () => import('./scanner-tab.tsx')),
];

const Admin = () => {
  const [active, open] = useTab(tabs);
  const isOld = useAdminLive();
  const Panel = tabs.find(({ name }) => name === active)?.Panel;
  return (
    <Page width="wide" gap="$24">
      <Row justifyContent="space-between" gap="$12" flexWrap="wrap">
        <Heading render="h1" size="headline">
          Admin Panel
        </Heading>
        <Row gap="$8">
          <Shortcuts tabs={tabs} onOpen={open} />
          <Row>
            <Row role="status" marginRight={isOld ? '$8' : 0}>
              {isOld ? <Badge tone="warn">Not live, reconnecting</Badge> : null}
            </Row>
            <Badge tone="good">Superuser Access</Badge>
          </Row>
        </Row>
      </Row>
      <Tabs label="Admin" tabs={tabs} active={active} onChange={open} side>
        <Suspense fallback={<Skeleton height={480} />}>{Panel ? <Panel /> : null}</Suspense>
      </Tabs>
    </Page>
  );
};

export const AdminPage = () => {
  useTitle('Admin Panel', useSite().siteName);
  return (
    <Only
      may={mayAdminister}
      denied="You don't have permission to access the admin panel."
      signIn="Please log in to access the admin panel."
    >
      <Admin />
    </Only>
  );
};
