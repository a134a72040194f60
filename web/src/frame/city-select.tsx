import { useLocation, useNavigate } from 'react-router-dom';
import { useCities } from '../api/catalogue.ts';
import { RoundSelect } from '../ui/field.tsx';

/** Goes to the events of a city. Not shown where there are none. */
export const CitySelect = () => {
  const cities = useCities();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  if (cities.length === 0) return null;
  const chosen = pathname === '/events' ? (new URLSearchParams(search).get('city') ?? '') : '';
  return (
    <div style={{ width: 156, flex: 'none' }}>
      <RoundSelect
        label="City"
        value={chosen}
        options={[
          { value: '', label: 'Select City' },
          { value: '*', label: 'All Cities' },
          ...cities.map((city) => ({ value: city.name, label: city.name })),
        ]}
        onChange={(event) => {
          const city = event.target.value;
          navigate(city && city !== '*' ? `/events?city=${encodeURIComponent(city)}` : '/events');
        }}
      />
    </div>
  );
};
