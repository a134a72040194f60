import { useGates } from '../../api/tickets.ts';
import { Select } from '../../ui/field.tsx';
import { when } from '../../words/when.ts';

/** What the gate is for: any event, or the one that staff choose. */
export const GatePicker = ({ eventId, onChange }: { eventId: string; onChange: (id: string) => void }) => (
  <Select
    label="This gate is for"
    value={eventId}
    onChange={(event) => onChange(event.target.value)}
    options={[
      { value: '', label: 'Any event' },
      ...useGates().map((event) => ({ value: String(event.id), label: `${event.title}, ${when(event)}` })),
    ]}
    hint="With an event chosen, tickets for other events are refused."
  />
);
