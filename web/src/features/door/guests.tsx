import { type FormEvent, useRef, useState } from 'react';
import { type Guest, ticketCalls } from '#domain/contracts/tickets.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { when } from '#web/lib/formatters/when.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Heading, Text, Unseen } from '#web/ui/text.tsx';

const standing = ({ status, disputed, quantity, admitted }: Guest): string => {
  if (status !== 'confirmed') return status === 'cancelled' ? 'Cancelled' : 'Refunded';
  if (disputed) return 'Payment disputed';
  return `${admitted} of ${quantity} in`;
};

/** Searched on submit, not while typing, because each search is logged. */
export const Guests = ({
  eventId,
  busy,
  onAdmit,
}: {
  eventId: number | undefined;
  busy: boolean;
  onAdmit: (bookingId: number) => void;
}) => {
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState('');
  const { data, error, isFetching, refetch } = useAnswer(
    ticketCalls.guests,
    asked ? { query: { search: asked, eventId } } : null,
  );
  const top = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(top);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = search.trim();
    // An unchanged query would not refetch by itself.
    if (text === asked) refetch();
    else setAsked(text);
  };
  return (
    <Panel gap="$16" {...keptFocus}>
      <Row ref={top} tabIndex={-1}>
        <Heading size="title">Guest without a code</Heading>
      </Row>
      <form onSubmit={submit}>
        <Row gap="$12" alignItems="flex-end">
          <Box flex={1}>
            <Field
              label="Name or reference"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </Box>
          <Button type="submit" disabled={!search.trim()} busy={isFetching} busyText="Searching...">
            Search
          </Button>
        </Row>
      </form>
      <Box gap={data?.length === 0 ? '$16' : 0}>
        <Text size="small" tone="dim">
          Check their identity first. Every search is kept in the log.
        </Text>
        <Box role="status">
          {data?.length === 0 ? <Text>{`Nobody called “${asked}” has a ticket here.`}</Text> : null}
          {data && data.length > 0 ? <Unseen>{`${data.length} found`}</Unseen> : null}
        </Box>
      </Box>
      {error ? (
        <Notice tone="bad" alert title="The search failed">
          {sayFailure(error)}
        </Notice>
      ) : null}
      {data?.map((guest) => {
        const left = guest.status === 'confirmed' && !guest.disputed ? guest.quantity - guest.admitted : 0;
        return (
          <Row key={guest.bookingId} gap="$12" justifyContent="space-between" flexWrap="wrap">
            <Box flex={1} minWidth={180}>
              <Text strong>{guest.name}</Text>
              <Text size="small" tone="dim" figures>{`${guest.reference}, ${standing(guest)}`}</Text>
              {eventId ? null : (
                <Text size="small" tone="dim">{`${guest.event.title}, ${when(guest.event)}`}</Text>
              )}
            </Box>
            {left > 0 ? (
              <Button
                size="compact"
                busy={busy}
                busyText="Asking..."
                aria-label={`Let in ${guest.name}, ${guest.reference}`}
                onClick={() => onAdmit(guest.bookingId)}
              >
                {`Let in ${left}`}
              </Button>
            ) : null}
          </Row>
        );
      })}
    </Panel>
  );
};
