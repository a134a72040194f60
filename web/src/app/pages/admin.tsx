import { type ComponentType, lazy, Suspense } from 'react';
import { useSite } from '#web/lib/api/site.ts';
import { mayAdminister } from '#web/lib/roles.ts';
import { useTab } from '#web/lib/use-tab.ts';
import { RequireRole } from '#web/ui/access/require-role.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Row } from '#web/ui/box.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Shortcuts } from '#web/ui/shortcuts.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Heading } from '#web/ui/text.tsx';
import { useAdminLive } from './admin-live.ts';

const tab = <Name extends string>(
  name: Name,
  label: string,
  load: () => Promise<{ readonly Tab: ComponentType }>,
) => ({ name, label, Panel: lazy(async () => ({ default: (await load()).Tab })) });

const tabs = [
  tab('dashboard', 'Dashboard', () => import('#web/features/overview/dashboard-tab.tsx')),
  tab('events', 'Events', () => import('#web/features/events/edit/events-tab.tsx')),
  tab('users', 'Users', () => import('#web/features/accounts/users/users-tab.tsx')),
  tab('bookings', 'Bookings', () => import('#web/features/bookings/manage/bookings-tab.tsx')),
  tab('refunds', 'Refunds', () => import('#web/features/refunds/refunds-tab.tsx')),
  tab('content', 'Content', () => import('#web/features/content/content-tab.tsx')),
  tab('promotions', 'Promotions', () => import('#web/features/promotions/promotions-tab.tsx')),
  tab('categories', 'Categories', () => import('#web/features/catalogue/categories-tab.tsx')),
  tab('cities', 'Cities', () => import('#web/features/catalogue/cities-tab.tsx')),
  tab('venues', 'Venues', () => import('#web/features/catalogue/venues-tab.tsx')),
  tab('newsletter', 'Newsletter', () => import('#web/features/newsletter/newsletter-tab.tsx')),
  tab('sponsors', 'Sponsors', () => import('#web/features/content/sponsors-tab.tsx')),
  tab('images', 'Images', () => import('#web/features/content/images-tab.tsx')),
  tab('email-templates', 'Email templates', () => import('#web/features/content/email-templates-tab.tsx')),
  tab('webhooks', 'Webhooks', () => import('#web/features/webhooks/webhooks-tab.tsx')),
  tab('analytics', 'Analytics', () => import('#web/features/overview/analytics-tab.tsx')),
  tab('audit', 'Audit', () => import('#web/features/overview/audit-tab.tsx')),
  tab('scanner', 'QR Scanner', () => import('#web/features/door/scanner-tab.tsx')),
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
    <RequireRole
      may={mayAdminister}
      denied="You don't have permission to access the admin panel."
      signIn="Please log in to access the admin panel."
    >
      <Admin />
    </RequireRole>
  );
};
