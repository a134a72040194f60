import { useState } from 'react';
import { type AdminEvent, adminEventCalls } from '#domain/contracts/admin-events.ts';
import { adminCityCalls, adminVenueCalls } from '#domain/contracts/admin-places.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import type { Field as DeclaredField } from '#domain/kernel/fields.ts';
import { HOME_ZONE } from '#domain/kernel/zone.ts';
import { extras } from '#domain/listing/extras.ts';
import { useCategories } from '#web/lib/api/catalogue.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { serverNow } from '#web/lib/clock.ts';
import { pounds } from '#web/lib/formatters/money.ts';
import { when } from '#web/lib/formatters/when.ts';
import { Check, Field, Pair, Select, TextArea } from '#web/ui/field.tsx';
import { FormDialog, type FormParts } from '#web/ui/form/form-dialog.tsx';
import { ImagePicker } from '#web/ui/form/image-picker.tsx';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { RichTextEditor } from '#web/ui/rich-text-editor.tsx';
import { blankEvent, checkEvent, type EventForm, formOf, NEW } from './event-form.ts';

const choices = (first: string, options: readonly { id: number; name: string }[], fresh?: string) => [
  { value: '', label: first },
  ...(fresh ? [{ value: NEW, label: fresh }] : []),
  ...options.map(({ id, name }) => ({ value: String(id), label: name })),
];

const NewCity = ({ field }: Pick<FormParts<EventForm>, 'field'>) => (
  <>
    <Field label="New city’s name" maxLength={100} {...field('newCity.name')} />
    <Pair>
      <Field label="State / province" maxLength={100} {...field('newCity.state')} />
      <Field label="Country" maxLength={100} {...field('newCity.country')} />
    </Pair>
  </>
);

const NewVenue = ({
  form,
  field,
  change,
  nameHint,
}: FormParts<EventForm> & { nameHint: string | undefined }) => (
  <>
    <Field label="New venue’s name" maxLength={100} hint={nameHint} {...field('newVenue.name')} />
    <Pair>
      <Field
        label="Address"
        maxLength={500}
        {...field('newVenue.address')}
        onChange={({ target: { value } }) =>
          change({
            'newVenue.address': value,
            ...(form.location === form['newVenue.address'] && { location: value }),
          })
        }
      />
      <Field
        label="The venue holds"
        type="number"
        inputMode="numeric"
        step="1"
        min="1"
        {...field('newVenue.capacity')}
        onChange={({ target: { value } }) =>
          change({
            'newVenue.capacity': value,
            ...(form.capacity === form['newVenue.capacity'] && { capacity: value }),
          })
        }
      />
    </Pair>
  </>
);

type ExtraName = keyof typeof extras;

const ExtraFields = ({ field, lines = false }: Pick<FormParts<EventForm>, 'field'> & { lines?: boolean }) =>
  Object.entries<DeclaredField>(extras).map(([name, extra]) => {
    if ((extra.kind === 'text' && extra.lines === true) !== lines) return null;
    const { label, hint, kind } = extra;
    const props = { label, hint, optional: true, ...field(name as ExtraName) };
    if (kind === 'clock') return <Field key={name} type="time" {...props} />;
    const { most } = extra;
    if (kind === 'whole')
      return <Field key={name} type="number" inputMode="numeric" step="1" min="0" max={most} {...props} />;
    return lines ? (
      <TextArea key={name} maxLength={most} {...props} />
    ) : (
      <Field key={name} maxLength={most} {...props} />
    );
  });

const UNUSUAL = /[^ -~\s\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns a function that says which characters of a text tickets can’t show. `texts` are those that tickets have. */
const useTicketHint = (...texts: readonly (string | undefined)[]) => {
  const text = [...new Set(texts.join('').match(UNUSUAL))].join('');
  const { data } = useAnswer(adminEventCalls.ticketText, text ? { query: { text } } : null);
  return (shown = ''): string | undefined => {
    const missing = data?.missing.filter((character) => shown.includes(character)) ?? [];
    return missing.length > 0 ? `Tickets can’t show these characters: ${missing.join(' ')}` : undefined;
  };
};

const EventFields = ({ form, field, change, fresh }: FormParts<EventForm> & { fresh: boolean }) => {
  const categories = useCategories();
  const { data: cities = [], ...list } = useAnswer(adminCityCalls.list);
  const { data: venues = [], ...venueList } = useAnswer(
    adminVenueCalls.ofCity,
    form.cityId && form.cityId !== NEW ? { params: { cityId: form.cityId } } : null,
  );
  const venueOf = (id: string) => venues.find((one) => String(one.id) === id);
  const venue = venueOf(form.venueId);
  const ticketHint = useTicketHint(form.title, form.location, venue?.name, form['newVenue.name']);
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
      <Field label="Title" maxLength={200} hint={ticketHint(form.title)} {...field('title')} />
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
          options={choices('Choose a city', cities, fresh ? 'Add a new city' : undefined)}
          onChange={({ target: { value } }) => change({ cityId: value, venueId: value === NEW ? NEW : '' })}
        />
      </Pair>
      {list.error && cities.length === 0 ? (
        <NotLoaded what="The cities" error={list.error} refetch={list.refetch} />
      ) : null}
      {venueList.error && venues.length === 0 ? (
        <NotLoaded what="The venues" error={venueList.error} refetch={venueList.refetch} />
      ) : null}
      {form.cityId === NEW ? <NewCity field={field} /> : null}
      <Pair>
        <Select
          label="Venue"
          {...field('venueId')}
          disabled={!form.cityId}
          hint={ticketHint(venue?.name)}
          options={choices(
            form.cityId ? 'Choose a venue' : 'Choose a city first',
            form.cityId === NEW ? [] : venues,
            fresh && form.cityId ? 'Add a new venue' : undefined,
          )}
          onChange={(event) => chooseVenue(event.target.value)}
        />
        <Field label="Location" hint={ticketHint(form.location)} {...field('location')} />
      </Pair>
      {form.venueId === NEW ? (
        <NewVenue {...{ form, field, change }} nameHint={ticketHint(form['newVenue.name'])} />
      ) : null}
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
      <Pair>
        <ExtraFields field={field} />
        <Field
          label="Tags"
          optional
          hint="With commas between them: jazz, live, standing."
          {...field('tags')}
        />
      </Pair>
      <ExtraFields field={field} lines />
      <ImagePicker
        label="Picture’s address"
        {...field('imageUrl')}
        onPick={(imageUrl) => change({ imageUrl })}
      />
      <Check
        label="Show it among the featured events"
        checked={form.featured}
        onChange={(event) => change({ featured: event.target.checked })}
      />
    </>
  );
};

export const stale = [
  adminEventCalls.list,
  adminCityCalls.list,
  adminVenueCalls.list,
  catalogueCalls.cities,
  catalogueCalls.events,
  ['event'],
];

const opened = (event: AdminEvent | undefined) => ({
  ...(event ? formOf(event) : blankEvent),
  isActive: event?.isActive ?? true,
  revision: event?.revision,
});

export const EditEvent = ({ event, onClose }: { event: AdminEvent | undefined; onClose: () => void }) => {
  const { data: cities = [] } = useAnswer(adminCityCalls.list);
  const zoneOf = (cityId: string) =>
    cities.find((city) => String(city.id) === cityId)?.zone ?? event?.zone ?? HOME_ZONE;
  const change = useChange(event ? adminEventCalls.edit : adminEventCalls.create, {
    params: { id: event?.id ?? 0 },
    draft: `event ${event?.id}`,
    stale,
    done: (saved) => ({
      title: event ? 'Event updated' : 'Event created',
      description: `${saved.title}, ${when(saved)}${event ? '' : ', is on sale'}.`,
    }),
    failed: event ? 'Failed to update event' : 'Failed to create event',
  });
  return (
    <FormDialog
      title={event ? `Edit ${event.title}` : 'Create Event'}
      blank={opened(event)}
      reopen={opened}
      check={({ isActive, revision, ...typed }) => {
        const checked = checkEvent(typed, zoneOf(typed.cityId), serverNow(), event);
        return checked.ok && event ? { ok: true, value: { ...checked.value, isActive, revision } } : checked;
      }}
      submit={event ? 'Save' : 'Create Event'}
      busyText={event ? 'Saving...' : 'Creating...'}
      width={720}
      {...{ change, onClose }}
    >
      {({ form, ...parts }) => (
        <>
          <EventFields form={form} fresh={!event} {...parts} />
          {event ? (
            <Check
              label="Active: people can find and book it"
              checked={form.isActive}
              onChange={({ target }) => parts.change({ isActive: target.checked })}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export const DeleteEvent = ({ event, onClose }: { event: AdminEvent; onClose: () => void }) => {
  const {
    data: quote,
    error,
    refetch,
  } = useAnswer(adminEventCalls.deletionQuote, { params: { id: event.id } });
  const [ticked, setTicked] = useState(false);
  const pays = !quote?.over || ticked;
  const refund = pays && quote && Number(quote.refundTotal) > 0 ? pounds(quote.refundTotal) : null;
  return (
    <RemoveDialog
      call={adminEventCalls.remove}
      body={quote && { refund: pays }}
      change={{
        params: { id: event.id },
        stale,
        done: () => ({ title: 'Event deleted', description: event.title }),
        failed: 'Failed to delete event',
      }}
      title={`Delete ${event.title}?`}
      confirm={refund ? `Delete and refund ${refund}` : 'Delete'}
      waits={!quote}
      onClose={onClose}
    >
      {quote ? (
        <span>
          {pays
            ? `All its bookings are cancelled, and their customers are told by email. ${counted(quote.bookings, 'booking')}, ${counted(quote.tickets, 'ticket')}: ${pounds(quote.refundTotal)} is paid back.`
            : 'It is over: its bookings stay as they are, and nothing is paid back.'}
        </span>
      ) : error ? (
        <NotLoaded what="Its bookings" {...{ error, refetch }} />
      ) : (
        <span>Counting its bookings...</span>
      )}
      {quote?.over && quote.bookings > 0 ? (
        <Check
          label={`Cancel its bookings, and pay back ${pounds(quote.refundTotal)}`}
          checked={ticked}
          onChange={({ target }) => setTicked(target.checked)}
        />
      ) : null}
    </RemoveDialog>
  );
};
