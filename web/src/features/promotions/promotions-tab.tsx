import { type AdminPromotion, adminPromotionCalls } from '#domain/contracts/admin-promotions.ts';
import { serverNow } from '#web/lib/clock.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { deleting } from '#web/ui/form/remove-dialog.tsx';
import { activity, type Column, dated, states } from '#web/ui/list/columns.tsx';
import { byStatus, List } from '#web/ui/list/list.tsx';
import { EditPromotion } from './edit-promotion.tsx';

const remark = ({ isActive, usageLimit, usageCount, heldCount, validFrom, validUntil }: AdminPromotion) => {
  if (!isActive) return null;
  const now = serverNow();
  if (Date.parse(validUntil) < now) return 'Over';
  if (Date.parse(validFrom) > now) return 'Not begun';
  return usageLimit !== null && usageCount + heldCount >= usageLimit ? 'Used up' : null;
};

const columns: readonly Column<AdminPromotion>[] = [
  { header: 'Code', sort: 'code', card: 'head', cell: ({ code }) => code },
  { header: 'Name', sort: 'name', cell: ({ name }) => name },
  { header: 'Description', cell: ({ description }) => description || '-' },
  {
    header: 'Discount',
    cell: ({ discountType, discountValue: value }) =>
      `${discountType === 'percentage' ? `${value}%` : pounds(value)} off`,
  },
  {
    header: 'Usage',
    sort: 'uses',
    cell: ({ usageCount, usageLimit }) =>
      `${usageCount}${usageLimit === null ? '' : `/${usageLimit}`} ${usageCount === 1 && usageLimit === null ? 'use' : 'uses'}`,
  },
  dated('Valid from', ({ validFrom }) => moment(validFrom)),
  dated('Valid until', ({ validUntil }) => moment(validUntil), { sort: 'ends' }),
  states(
    'Status',
    (row) => {
      const words = remark(row);
      return [words ? { words } : activity(row.isActive)];
    },
    { card: 'corner' },
  ),
];

export const Tab = () => (
  <List
    call={adminPromotionCalls.list}
    exportCall={adminPromotionCalls.exportCsv}
    title="Promotions"
    empty={{ title: 'No promotions yet', text: 'Create the first code: buyers type it in at the checkout.' }}
    columns={columns}
    search="Search by code, name or description"
    filters={[byStatus({ active: 'Active', inactive: 'Inactive' }, 'state')]}
    create={{
      words: 'Create Promotion',
      open: (onClose) => <EditPromotion promotion={undefined} onClose={onClose} />,
    }}
    nameOf={({ code }) => code}
    actions={(promotion) => [
      { words: 'Edit', open: (onClose) => <EditPromotion {...{ promotion, onClose }} /> },
      deleting(adminPromotionCalls.remove, {
        what: 'promotion',
        name: promotion.code,
        id: promotion.id,
        stale: [adminPromotionCalls.list],
        text: 'Nobody can use the code any more. Bookings that were made with it, and checkouts that are open, keep their discount.',
      }),
    ]}
  />
);
