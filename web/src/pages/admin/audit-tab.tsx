import { type AuditEntry, auditEntities, overviewCalls } from '#domain/contracts/admin-overview.ts';
import { type Column, instant, states } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { Email } from '../../ui/line-breaks.tsx';

/** An event's type in words: `BookingCancelled` → "Booking cancelled". */
export const wordsOf = (action: string): string => {
  const words = action.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What an entry is about: "booking #12". Of a long id the first characters are shown. */
export const entityOf = ({ entityType, entityId }: AuditEntry): string =>
  `${entityType} #${entityId.length > 12 ? entityId.slice(0, 8) : entityId}`;

/** The look of an action's badge: what takes away is red, what is new is green. */
const toneOf = (action: string) => {
  if (/(Deleted|Removed|Archived|Erased|Cancelled|Denied|Refused|Deactivated)$/.test(action)) return 'bad';
  return /(Added|Created|Registered|Reinstated|Restored)$/.test(action) ? 'good' : 'plain';
};

const columns: readonly Column<AuditEntry>[] = [
  {
    header: 'User',
    card: 'head',
    cell: ({ userEmail, userId }) =>
      userEmail ? <Email address={userEmail} /> : (userId ?? 'The site itself'),
  },
  states('Action', ({ action }) => [{ tone: toneOf(action), words: wordsOf(action) }], { card: 'corner' }),
  { header: 'Entity', cell: entityOf },
  instant('Date', ({ createdAt }) => createdAt, { sort: 'date' }),
  { header: 'IP address', cell: ({ ipAddress }) => ipAddress ?? '-' },
];

/** The audit tab: what staff did, and what happened to accounts. */
export const Tab = () => (
  <List
    call={overviewCalls.audit}
    exportCall={overviewCalls.exportAudit}
    title="Audit log"
    noun="entries"
    empty={{ title: 'Nothing has been done yet' }}
    columns={columns}
    perPage={25}
    search="Search by action, id or user"
    filters={[{ name: 'entity', label: 'Entity', all: 'Everything', options: auditEntities }]}
  />
);
