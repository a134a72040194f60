/** The demo's cities and venues: real places, with their addresses and believable capacities. */
export interface DemoVenue {
  readonly city: string;
  readonly name: string;
  readonly address: string;
  readonly capacity: number;
}

/** The demo's cities. An id is a place in this list, from 1. */
export const cities: readonly { readonly name: string; readonly state: string }[] = [
  { name: 'London', state: 'England' },
  { name: 'Manchester', state: 'England' },
  { name: 'Birmingham', state: 'England' },
  { name: 'Bristol', state: 'England' },
  { name: 'Leeds', state: 'England' },
  { name: 'Liverpool', state: 'England' },
  { name: 'Edinburgh', state: 'Scotland' },
  { name: 'Glasgow', state: 'Scotland' },
  { name: 'Cardiff', state: 'Wales' },
  { name: 'Belfast', state: 'Northern Ireland' },
];

/** The demo's venues, real ones. An id is a place in this list, from 1. */
export const venues = {
  barbican: {
    city: 'London',
    name: 'Barbican Hall',
    address: 'Silk Street, London EC2Y 8DS',
    capacity: 1943,
  },
  roundhouse: {
    city: 'London',
    name: 'Roundhouse',
    address: 'Chalk Farm Road, London NW1 8EH',
    capacity: 3300,
  },
  ronnie: {
    city: 'London',
    name: 'Ronnie Scott’s',
    address: '47 Frith Street, London W1D 4HT',
    capacity: 220,
  },
  union: {
    city: 'London',
    name: 'Union Chapel',
    address: '19b Compton Terrace, London N1 2UN',
    capacity: 900,
  },
  borough: {
    city: 'London',
    name: 'Borough Market Kitchen',
    address: '8 Southwark Street, London SE1 1TL',
    capacity: 120,
  },
  printworks: {
    city: 'London',
    name: 'Village Underground',
    address: '54 Holywell Lane, London EC2A 3PQ',
    capacity: 700,
  },
  tate: { city: 'London', name: 'Tate Modern', address: 'Bankside, London SE1 9TG', capacity: 400 },
  bridgewater: {
    city: 'Manchester',
    name: 'The Bridgewater Hall',
    address: 'Lower Mosley Street, Manchester M2 3WS',
    capacity: 2300,
  },
  band: {
    city: 'Manchester',
    name: 'Band on the Wall',
    address: '25 Swan Street, Manchester M4 5JZ',
    capacity: 540,
  },
  mackie: {
    city: 'Manchester',
    name: 'Mackie Mayor',
    address: '1 Eagle Street, Manchester M4 5BU',
    capacity: 140,
  },
  warehouse: {
    city: 'Manchester',
    name: 'Depot Mayfield',
    address: '11 Baring Street, Manchester M1 2PY',
    capacity: 10000,
  },
  symphony: {
    city: 'Birmingham',
    name: 'Symphony Hall',
    address: '8 Centenary Square, Birmingham B1 2EA',
    capacity: 2262,
  },
  digbeth: {
    city: 'Birmingham',
    name: 'The Custard Factory',
    address: 'Gibb Street, Birmingham B9 4AA',
    capacity: 300,
  },
  ikon: {
    city: 'Birmingham',
    name: 'Ikon Gallery',
    address: '1 Oozells Square, Birmingham B1 2HS',
    capacity: 160,
  },
  beacon: {
    city: 'Bristol',
    name: 'Bristol Beacon',
    address: 'Trenchard Street, Bristol BS1 5AR',
    capacity: 2075,
  },
  thekla: {
    city: 'Bristol',
    name: 'Thekla',
    address: 'The Grove, East Mud Dock, Bristol BS1 4RB',
    capacity: 400,
  },
  wapping: {
    city: 'Bristol',
    name: 'Wapping Wharf Kitchen',
    address: 'Gaol Ferry Steps, Bristol BS1 6WE',
    capacity: 90,
  },
  arnolfini: {
    city: 'Bristol',
    name: 'Arnolfini',
    address: '16 Narrow Quay, Bristol BS1 4QA',
    capacity: 200,
  },
  brudenell: {
    city: 'Leeds',
    name: 'Brudenell Social Club',
    address: '33 Queens Road, Leeds LS6 1NY',
    capacity: 450,
  },
  tetley: {
    city: 'Leeds',
    name: 'Kirkgate Market Hall',
    address: 'Vicar Lane, Leeds LS2 7HY',
    capacity: 180,
  },
  belgrave: {
    city: 'Leeds',
    name: 'Belgrave Music Hall',
    address: '1 Cross Belgrave Street, Leeds LS2 8JP',
    capacity: 350,
  },
  philharmonic: {
    city: 'Liverpool',
    name: 'Liverpool Philharmonic Hall',
    address: 'Hope Street, Liverpool L1 9BP',
    capacity: 1700,
  },
  cavern: {
    city: 'Liverpool',
    name: 'Cavern Club',
    address: '10 Mathew Street, Liverpool L2 6RE',
    capacity: 350,
  },
  baltic: {
    city: 'Liverpool',
    name: 'Baltic Market',
    address: '107 Stanhope Street, Liverpool L8 5RE',
    capacity: 200,
  },
  usher: {
    city: 'Edinburgh',
    name: 'Usher Hall',
    address: 'Lothian Road, Edinburgh EH1 2EA',
    capacity: 2200,
  },
  summerhall: {
    city: 'Edinburgh',
    name: 'Summerhall',
    address: '1 Summerhall, Edinburgh EH9 1PL',
    capacity: 280,
  },
  kitchin: {
    city: 'Edinburgh',
    name: 'Leith Supper Rooms',
    address: '78 Commercial Quay, Edinburgh EH6 6LX',
    capacity: 48,
  },
  barrowland: {
    city: 'Glasgow',
    name: 'Barrowland Ballroom',
    address: '244 Gallowgate, Glasgow G4 0TT',
    capacity: 1900,
  },
  subclub: { city: 'Glasgow', name: 'Sub Club', address: '22 Jamaica Street, Glasgow G1 4QD', capacity: 410 },
  kelvingrove: {
    city: 'Glasgow',
    name: 'Kelvingrove Art Gallery',
    address: 'Argyle Street, Glasgow G3 8AG',
    capacity: 350,
  },
  stdavids: {
    city: 'Cardiff',
    name: 'St David’s Hall',
    address: 'The Hayes, Cardiff CF10 1AH',
    capacity: 1956,
  },
  clwb: {
    city: 'Cardiff',
    name: 'Clwb Ifor Bach',
    address: '11 Womanby Street, Cardiff CF10 1BR',
    capacity: 380,
  },
  chapter: {
    city: 'Cardiff',
    name: 'Chapter Arts Centre',
    address: 'Market Road, Cardiff CF5 1QE',
    capacity: 170,
  },
  ulster: {
    city: 'Belfast',
    name: 'Ulster Hall',
    address: '34 Bedford Street, Belfast BT2 7FF',
    capacity: 1000,
  },
  stgeorges: {
    city: 'Belfast',
    name: 'St George’s Market',
    address: '12 East Bridge Street, Belfast BT1 3NQ',
    capacity: 150,
  },
} as const satisfies Record<string, DemoVenue>;

/** What the demo's listings call a venue. */
export type VenueKey = keyof typeof venues;
