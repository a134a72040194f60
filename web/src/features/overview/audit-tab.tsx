import { type AuditEntity, auditEntities } from '#domain/aggregates.ts';
import { type AuditEntry, overviewCalls } from '#domain/contracts/admin-overview.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Box } from '#web/ui/box.tsx';
import { Email } from '#web/ui/line-breaks.tsx';
import { type Column, instant } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { Text } from '#web/ui/text.tsx';

const NOUNS: Readonly<Partial<Record<AuditEntity, string>>> = { 'email-template': 'email template' };
const UUID = /^[0-9a-f]{8}-/;

/** What an entry is about: "booking #12". Of a long id the first characters are shown. */
export const entityOf = ({ entityType, entityId }: AuditEntry): string => {
  const noun = NOUNS[entityType] ?? entityType;
  return entityId === '' ? noun : `${noun} #${UUID.test(entityId) ? entityId.slice(0, 8) : entityId}`;
};

const TONES = { create: 'good', update: 'plain', delete: 'bad' } as const;

export const ActionBadge = ({ action }: Pick<AuditEntry, 'action'>) => (
  <Badge tone={TONES[action]}>{action.charAt(0).toUpperCase() + action.slice(1)}</Badge>
);

const columns: readonly Column<AuditEntry>[] = [
  {
    header: 'User',
    card: 'head',
    cell: ({ userEmail, userId }) =>
      userId === null ? (
        'The site itself'
      ) : (
        <Box>
          {userEmail ? (
            <span>
              <Email address={userEmail} />
            </span>
          ) : null}
          <Text size="small" tone="dim" title={userId}>
            {`#${userId.slice(0, 8)}`}
          </Text>
        </Box>
      ),
  },
  { header: 'Action', card: 'corner', cell: ActionBadge },
  { header: 'Entity', cell: entityOf },
  { header: 'Details', cell: ({ details }) => details },
  instant('Date', ({ createdAt }) => createdAt, { sort: 'date' }),
  { header: 'IP address', cell: ({ ipAddress }) => ipAddress ?? '-' },
];

export const Tab = () => (
  <List
    call={overviewCalls.audit}
    exportCall={overviewCalls.exportAudit}
    title="Audit log"
    noun="entries"
    empty={{ title: 'Nothing has been done yet' }}
    columns={columns}
    search="Search by what happened, id or user"
    filters={[{ name: 'entity', label: 'Entity', all: 'Everything', options: auditEntities }]}
  />
);
