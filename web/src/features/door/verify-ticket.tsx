import { useParams } from 'react-router-dom';
import type { TicketCheck } from '#domain/contracts/tickets.ts';
import { useSite } from '#web/lib/api/site.ts';
import { when } from '#web/lib/formatters/when.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Box } from '#web/ui/box.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { EmptyState, Page, useTitle, Waiting } from '#web/ui/page.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { Ticket } from '#web/ui/ticket.tsx';
import { useTicketCheck } from './tickets.ts';

const tones: Record<TicketCheck['standing'], { tone: Tone; words: string }> = {
  good: { tone: 'good', words: 'Good for entry' },
  used: { tone: 'warn', words: 'Already used' },
  cancelled: { tone: 'bad', words: 'Cancelled' },
  refunded: { tone: 'bad', words: 'Refunded' },
  disputed: { tone: 'bad', words: 'Payment disputed' },
  reissued: { tone: 'bad', words: 'Reissued' },
  expired: { tone: 'bad', words: 'Expired' },
  forged: { tone: 'bad', words: 'Not one of our tickets' },
};

export const VerifyTicketPage = () => {
  const { token = '' } = useParams();
  const { siteName } = useSite();
  const { data, isFetching, refetch } = useTicketCheck(token);
  useTitle('Ticket check', siteName);
  if (!data && isFetching) return <Waiting>Checking the ticket...</Waiting>;
  if (!data)
    return (
      <Page width="narrow">
        <EmptyState
          level="h1"
          title="The ticket couldn’t be checked"
          action={<TryAgain kind="primary" refetch={refetch} />}
        >
          That says nothing about the ticket.
        </EmptyState>
      </Page>
    );
  const { tone, words } = tones[data.standing];
  return (
    <Page width="narrow" gap="$32">
      <Heading render="h1" size="headline">
        Ticket check
      </Heading>
      <Ticket
        stub={
          <Box padding="$24">
            <Text size="small" tone="dim">
              This page admits nobody. At the door, staff scan the code.
            </Text>
          </Box>
        }
      >
        <Box padding="$24" gap="$12">
          <Badge tone={tone}>{words}</Badge>
          {data.event ? (
            <>
              <Heading size="headline">{data.event.title}</Heading>
              <Text figures>{when(data.event)}</Text>
              <Text tone="dim">{data.event.venue}</Text>
            </>
          ) : null}
          {data.quantity ? (
            <Text figures>{`Admits ${data.quantity} ${data.quantity === 1 ? 'person' : 'people'}`}</Text>
          ) : null}
          <Text>{data.message}</Text>
        </Box>
      </Ticket>
      <Box alignItems="flex-start">
        <ButtonLink to="/events" kind="outline">
          Browse Events
        </ButtonLink>
      </Box>
    </Page>
  );
};
