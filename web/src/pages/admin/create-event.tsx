import { type FormEvent, useState } from 'react';
import { useAdminCities, useAdminVenues, useCreateEvent } from '../../api/admin.ts';
import { useCategories } from '../../api/catalogue.ts';
import { Box, Row } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Check, Field, Pair, Select, TextArea } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { focusFirstProblem, type Problems } from '../../words/form.ts';
import { blankEvent, checkEvent, type EventForm } from './event-form.ts';
import { actionFailed } from './logged-out.ts';

/** Adds an event to the catalogue. Venues depend on the city; a venue brings its address and size along. */
export const CreateEvent = ({ onClose }: { onClose: () => void }) => {
  const [form, setForm] = useState(blankEvent);
  const [problems, setProblems] = useState<Problems<string>>({});
  const categories = useCategories();
  const cities = useAdminCities();
  const venues = useAdminVenues(form.cityId ? Number(form.cityId) : undefined);
  const create = useCreateEvent();

  const set = (name: keyof EventForm) => (event: { target: { value: string } }) =>
    setForm({ ...form, [name]: event.target.value });
  const chooseVenue = (id: string) => {
    const venue = venues.find((one) => String(one.id) === id);
    setForm({
      ...form,
      venueId: id,
      location: venue?.address ?? form.location,
      capacity: venue ? String(venue.capacity) : form.capacity,
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const checked = checkEvent(form);
    setProblems(checked.ok ? {} : checked.problems);
    if (!checked.ok) return focusFirstProblem(event.currentTarget);
    create.mutate(checked.sent, {
      onSuccess: ({ title }) => {
        onClose();
        toast({ title: 'Event created', description: `${title} is on sale.` });
      },
      onError: (error) => actionFailed(error, 'Failed to create event'),
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
          <Field
            label="Title"
            maxLength={200}
            value={form.title}
            error={problems.title}
            onChange={set('title')}
          />
          <TextArea
            label="Description"
            hint="A blank line starts a paragraph."
            value={form.description}
            error={problems.description}
            onChange={set('description')}
          />
          <Pair>
            <Select
              label="Category"
              value={form.category}
              error={problems.category}
              options={[
                { value: '', label: 'Choose a category' },
                ...categories.map(({ slug, name }) => ({ value: slug, label: name })),
              ]}
              onChange={set('category')}
            />
            <Select
              label="City"
              value={form.cityId}
              error={problems.cityId}
              options={choices('Choose a city', cities)}
              onChange={(event) => setForm({ ...form, cityId: event.target.value, venueId: '' })}
            />
          </Pair>
          <Pair>
            <Select
              label="Venue"
              value={form.venueId}
              error={problems.venueId}
              disabled={!form.cityId}
              options={choices(form.cityId ? 'Choose a venue' : 'Choose a city first', venues)}
              onChange={(event) => chooseVenue(event.target.value)}
            />
            <Field
              label="Location"
              value={form.location}
              error={problems.location}
              onChange={set('location')}
            />
          </Pair>
          <Pair>
            <Field label="Date" type="date" value={form.date} error={problems.date} onChange={set('date')} />
            <Field label="Time" type="time" value={form.time} error={problems.time} onChange={set('time')} />
          </Pair>
          <Pair>
            <Field
              label="Price in pounds"
              type="number"
              inputMode="decimal"
              step="0.01"
              min="0.01"
              value={form.price}
              error={problems.price}
              onChange={set('price')}
            />
            <Field
              label="Capacity"
              type="number"
              inputMode="numeric"
              step="1"
              min="1"
              value={form.capacity}
              error={problems.capacity}
              onChange={set('capacity')}
            />
          </Pair>
          <Field
            label="Picture’s address"
            optional
            type="url"
            value={form.imageUrl}
            error={problems.imageUrl}
            onChange={set('imageUrl')}
          />
          <Check
            label="Show it among the featured events"
            checked={form.featured}
            onChange={(event) => setForm({ ...form, featured: event.target.checked })}
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
