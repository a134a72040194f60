import type { ReactNode } from 'react';
import { when } from '#web/lib/formatters/when.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Ticket } from '#web/ui/ticket.tsx';
import { useBookings } from './use-bookings.ts';

export const NextBooking = ({ otherwise }: { otherwise: ReactNode }) => {
  const { data } = useBookings(true);
  const next = data
    ?.filter(({ tab, status }) => tab === 'upcoming' && status !== 'pending')
    .sort((a, b) => a.event.startsAt.localeCompare(b.event.startsAt))[0];
  if (!next) return otherwise;
  return (
    <Ticket
      label="Your next event"
      stub={
        <Row padding="$20" gap="$16" justifyContent="space-between" flexWrap="wrap">
          <Text figures>
            {`${next.quantity} ${next.quantity === 1 ? 'ticket' : 'tickets'} · ${next.reference}`}
          </Text>
          <ButtonLink to="/profile" size="small" kind="outline">
            Show my ticket
          </ButtonLink>
        </Row>
      }
    >
      <div className="booking">
        <Poster of={next.event} ratio="1" sizes="(min-width: 720px) 136px, 88px" />
        <Box gap="$8">
          <Text size="small" strong tone="lime">
            Your next event
          </Text>
          <Heading render="h2" size="title">
            {next.event.title}
          </Heading>
          <Text figures>{when(next.event)}</Text>
          <Text tone="dim">{`${next.event.venue}, ${next.event.city}`}</Text>
        </Box>
      </div>
    </Ticket>
  );
};
