import { Fragment, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AdminEvent } from '#domain/contracts/admin-events.ts';
import { useAdminEvents } from '../../api/admin.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Poster } from '../../ui/poster.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, type TableRow } from '../../ui/table.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { pounds } from '../../words/money.ts';
import { when } from '../../words/when.ts';
import { CreateEvent } from './create-event.tsx';

const columns = ['Image', 'Title', 'Venue', 'City', 'Date', 'Category', 'Price', 'Left / capacity', 'Status'];

const rowOf = (event: AdminEvent): TableRow => ({
  key: event.id,
  cells: [
    <div key="image" className="thumb">
      <Poster
        url={event.imageUrl}
        picture={event.picture}
        category={event.category}
        ratio="1 / 1"
        sizes="56px"
      />
    </div>,
    <Link key="title" to={`/events/${event.id}`} className="link">
      {event.title}
    </Link>,
    event.venue,
    event.city,
    <span key="date" className="one-line">
      {when(event)}
    </span>,
    event.categoryName,
    pounds(event.price),
    <Fragment key="tickets">
      {event.availableTickets} / {event.capacity}
      {event.heldTickets > 0 ? (
        <Text size="small" tone="dim">
          {' '}
          ({event.heldTickets} held)
        </Text>
      ) : null}
    </Fragment>,
    <Row key="status" gap="$4" flexWrap="wrap">
      <Badge tone={event.isActive ? 'good' : 'bad'}>{event.isActive ? 'Active' : 'Inactive'}</Badge>
      {event.featured ? <Badge>Featured</Badge> : null}
    </Row>,
  ],
});

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
        <Table label="Events" columns={columns} rows={data.items.map(rowOf)} />
      )}
      {creating ? <CreateEvent onClose={() => setCreating(false)} /> : null}
    </Panel>
  );
};
