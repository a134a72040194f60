import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { stale } from './edit-event.tsx';

/** Asks before an event is featured, or no longer. */
export const FeatureEvent = ({ event, onClose }: { event: AdminEvent; onClose: () => void }) => {
  const { id, title, featured } = event;
  return (
    <RemoveDialog
      call={adminEventCalls.feature}
      body={{ featured: !featured }}
      change={{
        params: { id },
        stale,
        done: ({ message }) => ({ title: message, description: title }),
        failed: 'Failed to update event featured status',
      }}
      title={featured ? `Stop featuring ${title}?` : `Feature ${title}?`}
      confirm={featured ? 'Stop featuring it' : 'Feature it'}
      refuse="Leave it"
      busyText="Saving..."
      harmless
      onClose={onClose}
    >
      Featured events stand first on the home page.
    </RemoveDialog>
  );
};
