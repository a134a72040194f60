import { useState } from 'react';
import { useRecentScans } from '../../api/tickets.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Blank } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Heading } from '../../ui/text.tsx';
import { moment } from '../../words/when.ts';

/** As many as are looked at between two scans; the others wait to be asked for. */
const FIRST = 10;

/** Who has been let in lately. */
export const RecentScans = () => {
  const [all, setAll] = useState(false);
  const { data, isFetching, refetch } = useRecentScans();
  return (
    <Panel>
      <Row justifyContent="space-between" gap="$16">
        <Heading size="title">Recent Scans</Heading>
        <Button size="small" busy={isFetching} busyText="Refreshing..." onClick={() => refetch()}>
          <Icon name="refresh" size={18} /> Refresh
        </Button>
      </Row>
      {!data ? (
        <Skeleton height={160} />
      ) : data.length === 0 ? (
        <Blank title="No Recent Scans">Tickets that were let in show here.</Blank>
      ) : (
        <>
          <Table label="Recent scans" columns={['Time', 'Event', 'Customer', 'Tickets', 'Status']}>
            {data.slice(0, all ? undefined : FIRST).map((scan) => (
              <tr key={scan.id}>
                <td className="one-line">{moment(scan.scannedAt)}</td>
                <td>{scan.event.title}</td>
                <td>{scan.user.email}</td>
                <td>{scan.quantity}</td>
                <td>
                  <Badge tone="good">Verified</Badge>
                </td>
              </tr>
            ))}
          </Table>
          {data.length > FIRST && !all ? (
            <Row justifyContent="center">
              <Button kind="outline" onClick={() => setAll(true)}>
                Show all {data.length}
              </Button>
            </Row>
          ) : null}
        </>
      )}
    </Panel>
  );
};
