import { may } from '#domain/contracts/capabilities.ts';
import { ProofTab } from '#web/features/proof/proof-tab.tsx';
import { useSession } from '#web/lib/api/session.ts';
import { useSite } from '#web/lib/api/site.ts';
import { mayAudit } from '#web/lib/roles.ts';
import { useTab } from '#web/lib/use-tab.ts';
import { RequireRole } from '#web/ui/access/require-role.tsx';
import { Row } from '#web/ui/box.tsx';
import { Page, useTitle } from '#web/ui/page.tsx';
import { Shortcuts } from '#web/ui/shortcuts.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Heading } from '#web/ui/text.tsx';
import { LogTab } from './log-tab.tsx';
import { ProjectionsTab } from './projections-tab.tsx';
import { ReplayTab } from './replay-tab.tsx';

/** The server decides; this only hides tabs it would refuse. */
const tabs = [
  { name: 'log', label: 'Log', needs: 'read-log', Panel: LogTab },
  { name: 'proof', label: 'Proof', needs: 'read-log', Panel: ProofTab },
  { name: 'replay', label: 'Replay', needs: 'replay', Panel: ReplayTab },
  { name: 'projections', label: 'Projections', needs: 'operate', Panel: ProjectionsTab },
] as const;

const Audit = () => {
  const { user } = useSession();
  const offered = tabs.filter(({ needs }) => user && may(user.role, needs));
  const [active, open] = useTab(offered.length > 0 ? offered : tabs);
  const Panel = (tabs.find(({ name }) => name === active) ?? tabs[0]).Panel;
  return (
    <Page width="wide" gap="$24">
      <Row justifyContent="space-between" gap="$12">
        <Heading render="h1" size="headline">
          Audit
        </Heading>
        <Shortcuts tabs={offered} onOpen={open} />
      </Row>
      <Tabs label="Audit" tabs={offered} active={active} onChange={open}>
        <Panel />
      </Tabs>
    </Page>
  );
};

export const AuditPage = () => {
  useTitle('Audit', useSite().siteName);
  return (
    <RequireRole may={mayAudit} denied="You don’t have permission to read the log.">
      <Audit />
    </RequireRole>
  );
};
