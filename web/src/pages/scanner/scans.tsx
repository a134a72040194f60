import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useRecentScans, useRefusedScans } from '../../api/tickets.ts';
import { loggedOut } from '../../frame/logged-out.ts';
import { Badge } from '../../ui/badge.tsx';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Email } from '../../ui/email.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Blank } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, type TableRow } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { moment } from '../../words/when.ts';

/** As many as are looked at between two scans; the others wait to be asked for. */
const FIRST = 10;

/** A list of what happened at the door, newest first. */
function ScanList<Scan>({
  title,
  blank,
  columns,
  query,
  row,
}: {
  title: string;
  blank: ReactNode;
  columns: readonly string[];
  query: UseQueryResult<readonly Scan[]>;
  row: (scan: Scan) => TableRow;
}) {
  const [all, setAll] = useState(false);
  const { data, error, isFetching, refetch } = query;
  useEffect(() => {
    loggedOut(error);
  }, [error]);
  return (
    <Box gap="$20">
      <Row justifyContent="space-between" gap="$16">
        <Heading size="title">{title}</Heading>
        <Button size="small" busy={isFetching} busyText="Refreshing..." onClick={() => refetch()}>
          <Icon name="refresh" size={18} /> Refresh
        </Button>
      </Row>
      {error ? (
        <Notice tone="warn" title={data ? 'This list may be out of date' : 'The list didn’t load'}>
          It is asked for again by itself. Scanning goes on meanwhile.
        </Notice>
      ) : null}
      {data?.length === 0 ? blank : null}
      {data && data.length > 0 ? (
        <Table label={title} columns={columns} rows={data.slice(0, all ? undefined : FIRST).map(row)} />
      ) : null}
      {data && data.length > FIRST && !all ? (
        <Row justifyContent="center">
          <Button kind="outline" onClick={() => setAll(true)}>
            Show all {data.length}
          </Button>
        </Row>
      ) : null}
      {data || error ? null : <Skeleton height={160} />}
    </Box>
  );
}

const time = (at: string) => <span className="one-line">{moment(at)}</span>;

const Recent = () => (
  <ScanList
    title="Recent Scans"
    blank={<Blank title="No Recent Scans">Tickets that were let in show here.</Blank>}
    columns={['Time', 'Event', 'Customer', 'Tickets', 'Status']}
    query={useRecentScans()}
    row={(scan) => ({
      key: scan.id,
      cells: [
        time(scan.scannedAt),
        scan.event.title,
        <Email key="customer" address={scan.user.email} />,
        scan.quantity,
        <Badge key="status" tone="good">
          Verified
        </Badge>,
      ],
    })}
  />
);

const Refused = () => (
  <ScanList
    title="Turned Away"
    blank={<Blank title="Nobody turned away">Tickets that were refused show here, with the reason.</Blank>}
    columns={['Time', 'Event', 'Customer', 'Why', 'Scanned by']}
    query={useRefusedScans()}
    row={(scan) => ({
      key: scan.id,
      cells: [
        time(scan.scannedAt),
        scan.event.title,
        <Email key="customer" address={scan.user.email} />,
        <Text key="why">{scan.error}</Text>,
        scan.gate ? `${scan.scannedBy}, ${scan.gate}` : scan.scannedBy,
      ],
    })}
  />
);

const tabs = [
  { name: 'recent', label: 'Let in' },
  { name: 'refused', label: 'Turned away' },
] as const;

/** Who has been let in lately, and who has not. */
export const Scans = () => {
  const [tab, setTab] = useState<(typeof tabs)[number]['name']>('recent');
  return (
    <Panel>
      <Tabs label="Scans" tabs={tabs} active={tab} onChange={setTab}>
        {tab === 'recent' ? <Recent /> : <Refused />}
      </Tabs>
    </Panel>
  );
};
