import { type FormEvent, useEffect, useState } from 'react';
import type { City } from '#domain/contracts/catalogue.ts';
import { Row } from '#web/ui/box.tsx';
import { RoundInput, RoundSelect } from '#web/ui/field.tsx';
import { type Filters, SORTS } from './filters.ts';

const sortLabels = {
  date: 'Soonest first',
  'price-low': 'Price: low to high',
  'price-high': 'Price: high to low',
};

export const Controls = ({
  filters,
  cities,
  onChange,
}: {
  filters: Filters;
  cities: readonly City[];
  onChange: (next: Partial<Filters>) => void;
}) => {
  const known = cities.map(({ name }) => name);
  const names = filters.city && !known.includes(filters.city) ? [filters.city, ...known] : known;
  const [text, setText] = useState(filters.search);
  useEffect(() => setText(filters.search), [filters.search]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const search = text.trim();
    if (search) onChange({ search });
    else setText(filters.search);
  };
  return (
    <Row gap="$12" flexWrap="wrap">
      <form action="/events" onSubmit={submit} style={{ flex: '1 1 280px', display: 'flex' }}>
        <RoundInput
          name="search"
          icon="search"
          label="Search by title, venue, city or tag"
          type="search"
          placeholder="Title, venue, city or tag"
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value === '' && filters.search) onChange({ search: '' });
          }}
        />
      </form>
      <div style={{ flex: '1 1 150px', maxWidth: 260 }}>
        <RoundSelect
          label="City"
          value={filters.city}
          options={[
            { value: '', label: 'All Cities' },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(event) => onChange({ city: event.target.value })}
        />
      </div>
      <div style={{ flex: '1 1 150px', maxWidth: 260 }}>
        <RoundSelect
          label="Sort"
          value={filters.sort}
          options={SORTS.map((sort) => ({ value: sort, label: sortLabels[sort] }))}
          onChange={(event) =>
            onChange({ sort: SORTS.find((sort) => sort === event.target.value) ?? 'date' })
          }
        />
      </div>
    </Row>
  );
};
