import { useEffect, useState } from 'react';
import { when } from '#web/lib/formatters/when.ts';
import { forTab, forVisits } from '#web/lib/storage.ts';
import { Box } from '#web/ui/box.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { useGates } from './tickets.ts';
import type { Gate } from './use-scanner.ts';

/** The gate's name is kept per device, its event per tab. */
const EVENT = 'door-event';
const NAME = 'door-gate';

export const useGate = () => {
  const [gate, setGate] = useState<Gate>(() => ({
    eventId: Number(forTab.get(EVENT)) || undefined,
    name: forVisits.get(NAME) ?? '',
  }));
  const change = (next: Gate): void => {
    forTab.set(EVENT, String(next.eventId ?? ''));
    forVisits.set(NAME, next.name);
    setGate(next);
  };
  return [gate, change] as const;
};

export const GatePicker = ({ gate, onChange }: { gate: Gate; onChange: (gate: Gate) => void }) => {
  const gates = useGates();
  const isUnlisted = gate.eventId !== undefined && !gates?.some(({ id }) => id === gate.eventId);
  const isGone = isUnlisted && gates !== undefined;
  // A gate for an event no longer listed would refuse every ticket.
  useEffect(() => {
    if (isGone) onChange({ ...gate, eventId: undefined });
  });
  return (
    <Box gap="$16">
      <Select
        label="This gate is for"
        value={gate.eventId ?? ''}
        onChange={({ target }) => onChange({ ...gate, eventId: Number(target.value) || undefined })}
        options={[
          { value: '', label: 'Any event' },
          ...(isUnlisted ? [{ value: String(gate.eventId), label: 'The event chosen before' }] : []),
          ...(gates ?? []).map((event) => ({
            value: String(event.id),
            label: `${event.title}, ${when(event)}`,
          })),
        ]}
        hint="With an event chosen, tickets for other events are refused."
      />
      <Field
        label="Name of this gate"
        optional
        placeholder="North entrance"
        maxLength={100}
        value={gate.name}
        onChange={({ target }) => onChange({ ...gate, name: target.value })}
      />
    </Box>
  );
};
