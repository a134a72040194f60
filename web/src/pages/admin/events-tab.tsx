import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { useCategories } from '../../api/catalogue.ts';
import { type Column, dated, money, states, stock } from '../../kit/columns.tsx';
import { List } from '../../kit/list.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Poster } from '../../ui/poster.tsx';
import { when } from '../../words/when.ts';
import { DeleteEvent, EditEvent, stale } from './edit-event.tsx';

const inactive = { tone: 'bad', words: 'Inactive' } as const;
const active = { tone: 'good', words: 'Active' } as const;

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
  dated('Date', when, { sort: 'date' }),
  { header: 'Category', sort: 'category', cell: ({ categoryName }) => categoryName },
  money('Price', ({ price }) => price, { sort: 'price' }),
  stock('Left / capacity', ({ availableTickets: left, capacity: of, heldTickets: held }) => ({
    left,
    of,
    held,
  })),
  states('Status', ({ isActive, featured }) => [
    isActive ? active : inactive,
    ...(featured ? [{ words: 'Featured' }] : []),
  ]),
];

/** Asks before an event is featured, or no longer. */
const FeatureEvent = ({ event, onClose }: { event: AdminEvent; onClose: () => void }) => {
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
      onClose={onClose}
    >
      Featured events stand first on the home page.
    </RemoveDialog>
  );
};

/** The events tab: all events, past and inactive ones too. */
export const Tab = () => {
  const categories = Object.fromEntries(useCategories().map(({ slug, name }) => [slug, name]));
  return (
    <List
      call={adminEventCalls.list}
      exportCall={adminEventCalls.exportCsv}
      title="Events"
      noun="events"
      empty={{ title: 'No events yet', text: 'Create the first one: it is on sale at once.' }}
      columns={columns}
      perPage={25}
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
      actions={(event) => [
        {
          words: event.featured ? 'Unfeature' : 'Feature',
          label: `${event.featured ? 'Unfeature' : 'Feature'} ${event.title}`,
          open: (onClose) => <FeatureEvent {...{ event, onClose }} />,
        },
        {
          words: 'Edit',
          label: `Edit ${event.title}`,
          open: (onClose) => <EditEvent {...{ event, onClose }} />,
        },
        {
          words: 'Delete',
          label: `Delete ${event.title}`,
          open: (onClose) => <DeleteEvent {...{ event, onClose }} />,
        },
      ]}
    />
  );
};
