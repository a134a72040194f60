import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { HOME_ZONE } from '#domain/zone.ts';
import { useAnswer } from '../../api/answers.ts';
import { useCategories } from '../../api/catalogue.ts';
import { useChange } from '../../kit/change.ts';
import { FormDialog, type FormParts } from '../../kit/form-dialog.tsx';
import { Check, Field, Pair, Select } from '../../ui/field.tsx';
import { RichTextEditor } from '../../ui/rich-text-editor.tsx';
import { when } from '../../words/when.ts';
import { blankEvent, checkEvent, type EventForm } from './event-form.ts';

const choices = (first: string, options: readonly { id: number; name: string }[]) => [
  { value: '', label: first },
  ...options.map(({ id, name }) => ({ value: String(id), label: name })),
];

/** The fields of an event. The city decides which venues are offered; choosing a venue fills in address and capacity. */
const EventFields = ({ form, field, change }: FormParts<EventForm>) => {
  const categories = useCategories();
  const { data: cities = [] } = useAnswer(adminCityCalls.list);
  const { data: venues = [] } = useAnswer(
    adminVenueCalls.ofCity,
    form.cityId ? { params: { cityId: form.cityId } } : null,
  );
  const venueOf = (id: string) => venues.find((one) => String(one.id) === id);
  const venue = venueOf(form.venueId);
  const chooseVenue = (id: string) => {
    const chosen = venueOf(id);
    change({
      venueId: id,
      location: chosen?.address ?? form.location,
      capacity: chosen ? String(chosen.capacity) : form.capacity,
    });
  };
  return (
    <>
      <Field label="Title" maxLength={200} {...field('title')} />
      <RichTextEditor label="Description" {...field('description')} />
      <Pair>
        <Select
          label="Category"
          {...field('category')}
          options={[
            { value: '', label: 'Choose a category' },
            ...categories.map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
        />
        <Select
          label="City"
          {...field('cityId')}
          options={choices('Choose a city', cities)}
          onChange={(event) => change({ cityId: event.target.value, venueId: '' })}
        />
      </Pair>
      <Pair>
        <Select
          label="Venue"
          {...field('venueId')}
          disabled={!form.cityId}
          options={choices(form.cityId ? 'Choose a venue' : 'Choose a city first', venues)}
          onChange={(event) => chooseVenue(event.target.value)}
        />
        <Field label="Location" {...field('location')} />
      </Pair>
      <Pair>
        <Field label="Date" type="date" {...field('date')} />
        <Field label="Time" type="time" hint="On the clock at the venue." {...field('time')} />
      </Pair>
      <Pair>
        <Field
          label="Price in pounds"
          type="number"
          inputMode="decimal"
          step="0.01"
          min="0.01"
          {...field('price')}
        />
        <Field
          label="Capacity"
          type="number"
          inputMode="numeric"
          step="1"
          min="1"
          hint={
            venue &&
            (Number(form.capacity) > venue.capacity
              ? `More than the venue holds: ${venue.capacity}.`
              : `The venue holds ${venue.capacity}.`)
          }
          {...field('capacity')}
        />
      </Pair>
      <Field label="Picture’s address" optional type="url" {...field('imageUrl')} />
      <Check
        label="Show it among the featured events"
        checked={form.featured}
        onChange={(event) => change({ featured: event.target.checked })}
      />
    </>
  );
};

/** The dialog that adds an event. */
export const CreateEvent = ({ onClose }: { onClose: () => void }) => {
  const { data: cities = [] } = useAnswer(adminCityCalls.list);
  const zoneOf = (cityId: string) => cities.find((city) => String(city.id) === cityId)?.zone ?? HOME_ZONE;
  const change = useChange(adminEventCalls.create, {
    stale: [adminEventCalls.list, catalogueCalls.events],
    done: (event) => ({
      title: 'Event created',
      description: `${event.title}, ${when(event)}, is on sale.`,
    }),
    failed: 'Failed to create event',
  });
  return (
    <FormDialog
      title="Create Event"
      blank={blankEvent}
      check={(typed) => checkEvent(typed, zoneOf(typed.cityId), Date.now())}
      submit="Create Event"
      busyText="Creating..."
      width={720}
      {...{ change, onClose }}
    >
      {(parts) => <EventFields {...parts} />}
    </FormDialog>
  );
};
