import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { RowButton } from '#web/ui/data-table.tsx';
import { stale } from './edit-event.tsx';

export const FeatureEvent = ({ event: { id, title, featured } }: { event: AdminEvent }) => {
  const words = featured ? 'Unfeature' : 'Feature';
  const change = useChange(adminEventCalls.feature, {
    params: { id },
    stale,
    done: ({ message }) => ({ title: message, description: title }),
    failed: 'Failed to update event featured status',
  });
  const press = () => {
    if (!change.isPending) change.mutate({ featured: !featured });
  };
  return <RowButton words={words} label={`${words} ${title}`} onClick={press} />;
};
