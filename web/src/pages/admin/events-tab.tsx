import { useState } from 'react';
import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { useCategories } from '../../api/catalogue.ts';
import { money } from '../../kit/columns.tsx';
import { type Filter, List } from '../../kit/list.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { AtCommas } from '../../ui/line-breaks.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Poster } from '../../ui/poster.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { Text } from '../../ui/text.tsx';
import { when } from '../../words/when.ts';
import { CreateEvent } from './create-event.tsx';

const count = (number: number): string => number.toLocaleString('en-GB');

const columns: readonly Column<AdminEvent>[] = [
  {
    header: 'Image',
    card: 'image',
    cell: ({ imageUrl, picture, category }) => (
      <Poster url={imageUrl} picture={picture} category={category} ratio="1 / 1" sizes="48px" />
    ),
  },
  {
    header: 'Title',
    sort: 'title',
    card: 'head',
    cell: ({ id, title }) => <TextLink to={`/events/${id}`}>{title}</TextLink>,
  },
  { header: 'Venue', sort: 'venue', cell: ({ venue }) => venue },
  { header: 'City', sort: 'city', cell: ({ city }) => city },
  { header: 'Date', sort: 'date', cell: (event) => <AtCommas>{when(event)}</AtCommas> },
  { header: 'Category', sort: 'category', cell: ({ categoryName }) => categoryName },
  money('Price', ({ price }) => price, { sort: 'price' }),
  {
    header: 'Left / capacity',
    align: 'end',
    cell: ({ availableTickets, capacity, heldTickets }) => (
      <>
        {count(availableTickets)} / {count(capacity)}
        {heldTickets > 0 ? (
          <Text size="small" tone="dim">
            {' '}
            ({count(heldTickets)} held)
          </Text>
        ) : null}
        <ShareBar share={capacity > 0 ? 1 - availableTickets / capacity : 0} />
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ isActive, featured }) => (
      <Row gap="$4" flexWrap="wrap">
        <Badge tone={isActive ? 'good' : 'bad'}>{isActive ? 'Active' : 'Inactive'}</Badge>
        {featured ? <Badge>Featured</Badge> : null}
      </Row>
    ),
  },
];

const stateFilter: Filter = {
  name: 'state',
  label: 'State',
  all: 'Ahead and past',
  options: { ahead: 'Ahead', past: 'Past', inactive: 'Inactive' },
};

/** All events, past and inactive ones too, and a way to add one. */
export const Tab = () => {
  const categories = useCategories();
  const filters = [
    stateFilter,
    {
      name: 'category',
      label: 'Category',
      all: 'All categories',
      options: Object.fromEntries(categories.map(({ slug, name }) => [slug, name])),
    },
  ];
  const [creating, setCreating] = useState(false);
  return (
    <>
      <List
        call={adminEventCalls.list}
        title="Events"
        noun="events"
        columns={columns}
        perPage={25}
        search="Search by title, venue, city or tag"
        filters={filters}
        exportCall={adminEventCalls.exportCsv}
        empty={{ title: 'No events yet', text: 'Create the first one: it is on sale at once.' }}
        tools={
          <Button kind="primary" size="compact" onClick={() => setCreating(true)}>
            <Icon name="plus" size={18} /> Create Event
          </Button>
        }
      />
      {creating ? <CreateEvent onClose={() => setCreating(false)} /> : null}
    </>
  );
};
