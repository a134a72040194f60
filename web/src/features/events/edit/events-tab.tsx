import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { waitingCalls } from '#domain/contracts/waiting.ts';
import { useCategories } from '#web/lib/api/catalogue.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { when } from '#web/lib/formatters/when.ts';
import { TextLink } from '#web/ui/link.tsx';
import { activity, type Column, dated, money, states, stock } from '#web/ui/list/columns.tsx';
import { List } from '#web/ui/list/list.tsx';
import { Poster } from '#web/ui/poster.tsx';
import { DeleteEvent, EditEvent } from './edit-event.tsx';
import { FeatureEvent } from './feature-event.tsx';

const columnsWith = (waiting: ReadonlyMap<number, number>): readonly Column<AdminEvent>[] => [
  {
    header: 'Image',
    card: 'image',
    cell: (event) => <Poster of={event} ratio="1 / 1" sizes="48px" />,
  },
  {
    header: 'Title',
    sort: 'title',
    card: 'head',
    cell: ({ id, title }) => <TextLink to={`/events/${id}`}>{title}</TextLink>,
  },
  { header: 'Venue', sort: 'venue', cell: ({ venue }) => venue },
  { header: 'City', sort: 'city', cell: ({ city }) => city },
  dated('Date', when, { sort: 'date' }),
  { header: 'Category', sort: 'category', cell: ({ categoryName }) => categoryName },
  money('Price', ({ price }) => price, { sort: 'price' }),
  stock('Left / capacity', ({ availableTickets: left, capacity: of, heldTickets: held }) => ({
    left,
    of,
    held,
  })),
  states('Status', ({ id, isActive, featured }) => [
    activity(isActive),
    ...(featured ? [{ words: 'Featured' }] : []),
    ...(waiting.has(id) ? [{ words: `${waiting.get(id)}\u00a0waiting` }] : []),
  ]),
];

export const Tab = () => {
  const { data: waiting = [] } = useAnswer(waitingCalls.counts);
  const columns = columnsWith(new Map(waiting.map((one) => [one.eventId, one.waiting])));
  const categories = Object.fromEntries(useCategories().map(({ slug, name }) => [slug, name]));
  return (
    <List
      call={adminEventCalls.list}
      exportCall={adminEventCalls.exportCsv}
      title="Events"
      empty={{ title: 'No events yet', text: 'Create the first one: it is on sale at once.' }}
      columns={columns}
      search="Search by title, venue, city or tag"
      filters={[
        {
          name: 'state',
          label: 'State',
          all: 'Any time',
          options: { ahead: 'Ahead', past: 'Past', inactive: 'Inactive' },
        },
        { name: 'category', label: 'Category', all: 'All categories', options: categories },
      ]}
      create={{
        words: 'Create Event',
        open: (onClose) => <EditEvent event={undefined} onClose={onClose} />,
      }}
      nameOf={({ title }) => title}
      actions={(event) => [
        { words: 'Feature', button: <FeatureEvent event={event} /> },
        { words: 'Edit', open: (onClose) => <EditEvent {...{ event, onClose }} /> },
        { words: 'Delete', open: (onClose) => <DeleteEvent {...{ event, onClose }} /> },
      ]}
    />
  );
};
