import { HOME_ZONE } from '#domain/zone.ts';
import { useAdminCities, useAdminVenues, useCreateEvent } from '../../api/admin.ts';
import { useCategories } from '../../api/catalogue.ts';
import { fieldsOf } from '../../api/client.ts';
import { Box, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Check, Field, Pair, Select, TextArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useForm } from '../../words/form.ts';
import { when } from '../../words/when.ts';
import { blankEvent, checkEvent } from './event-form.ts';
import { actionFailed } from './logged-out.ts';

/** Adds an event to the catalogue. Venues depend on the city; a venue brings its address and size along. */
export const CreateEvent = ({ onClose }: { onClose: () => void }) => {
  const categories = useCategories();
  const cities = useAdminCities();
  const create = useCreateEvent();
  const { form, field, change, refuse, submit } = useForm(
    blankEvent,
    (typed) => checkEvent(typed, zoneOf(typed.cityId), Date.now()),
    (sent) =>
      create.mutate(sent, {
        onSuccess: (event) => {
          onClose();
          toast({ title: 'Event created', description: `${event.title}, ${when(event)}, is on sale.` });
        },
        onError: (error) => {
          actionFailed(error, 'Failed to create event');
          refuse(fieldsOf(error));
        },
      }),
  );
  const zoneOf = (cityId: string) => cities.find((city) => String(city.id) === cityId)?.zone ?? HOME_ZONE;
  const venues = useAdminVenues(form.cityId ? Number(form.cityId) : undefined);
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
  const choices = (first: string, options: readonly { id: number; name: string }[]) => [
    { value: '', label: first },
    ...options.map(({ id, name }) => ({ value: String(id), label: name })),
  ];

  return (
    <Dialog open onClose={onClose} title="Create Event" width={720}>
      <form onSubmit={submit} noValidate>
        <Box gap="$20">
          <Field label="Title" maxLength={200} {...field('title')} />
          <TextArea label="Description" hint="A blank line starts a paragraph." {...field('description')} />
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
          <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
            <Button kind="plain" onClick={onClose}>
              Cancel
            </Button>
            <Button kind="primary" type="submit" busy={create.isPending} busyText="Creating...">
              Create Event
            </Button>
          </Row>
        </Box>
      </form>
    </Dialog>
  );
};
