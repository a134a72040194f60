import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAdminEvents } from '../../api/admin.ts';
import { Badge } from '../../ui/badge.tsx';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { pounds } from '../../words/money.ts';
import { when } from '../../words/when.ts';
import { CreateEvent } from './create-event.tsx';

const columns = ['Event', 'Venue', 'Date', 'Category', 'Price', 'Left / capacity', 'Status'];

/** All events, past and inactive ones too, and a way to add one. */
export const EventsTab = () => {
  const [creating, setCreating] = useState(false);
  const { data, isError, refetch } = useAdminEvents();
  return (
    <Panel>
      <Row justifyContent="space-between" gap="$16" flexWrap="wrap">
        <Heading size="title">Events{data ? ` (${data.total})` : ''}</Heading>
        <Button kind="primary" size="small" onClick={() => setCreating(true)}>
          <Icon name="plus" size={18} /> Create Event
        </Button>
      </Row>
      {isError ? (
        <Notice
          tone="bad"
          alert
          title="The events didn’t load"
          action={
            <Button size="small" onClick={() => refetch()}>
              Try again
            </Button>
          }
        />
      ) : !data ? (
        <Skeleton height={320} />
      ) : (
        <Table label="Events" columns={columns}>
          {data.items.map((event) => (
            <tr key={event.id}>
              <td>
                <Link to={`/events/${event.id}`} className="link">
                  {event.title}
                </Link>
              </td>
              <td>
                {event.venue}, {event.city}
              </td>
              <td className="one-line">{when(event)}</td>
              <td>{event.categoryName}</td>
              <td>{pounds(event.price)}</td>
              <td>
                {event.availableTickets} / {event.capacity}
                {event.heldTickets > 0 ? (
                  <Text size="small" tone="dim">
                    {' '}
                    ({event.heldTickets} held)
                  </Text>
                ) : null}
              </td>
              <td>
                <Box gap="$4">
                  <Badge tone={event.isActive ? 'good' : 'bad'}>
                    {event.isActive ? 'Active' : 'Inactive'}
                  </Badge>
                  {event.featured ? <Badge>Featured</Badge> : null}
                </Box>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {creating ? <CreateEvent onClose={() => setCreating(false)} /> : null}
    </Panel>
  );
};
