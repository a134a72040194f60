import { may } from '#domain/contracts/capabilities.ts';
import { useSession } from '../../api/auth.ts';
import { useSite } from '../../api/site.ts';
import { Only } from '../../kit/only.tsx';
import { mayAudit } from '../../kit/roles.ts';
import { Shortcuts } from '../../kit/shortcuts.tsx';
import { useTab } from '../../kit/use-tab.ts';
import { Row } from '../../ui/box.tsx';
import { Page, useTitle } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Heading } from '../../ui/text.tsx';
import { LogTab } from './log-tab.tsx';
import { ProjectionsTab } from './projections-tab.tsx';
import { ProofTab } from './proof-tab.tsx';
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
    <Only may={mayAudit} denied="You don’t have permission to read the log.">
      <Audit />
    </Only>
  );
};
